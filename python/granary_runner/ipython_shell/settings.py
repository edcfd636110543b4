"""`get_ipython().config`: sections with settings, as `c.InlineBackend.figure_format = "svg"` writes them."""

from __future__ import annotations

import sys


class Config(dict):
    """Reading a missing section as an attribute creates it; `"IPKernelApp" in config` is false."""

    def __getattr__(self, name: str):
        if name.startswith("_"):
            raise AttributeError(name)
        if name[:1].isupper():
            return self.setdefault(name, Config())
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: object) -> None:
        self[name] = value

    def merge(self, other) -> None:
        for name, value in other.items():
            if isinstance(value, dict) and isinstance(self.get(name), Config):
                self[name].merge(value)
            else:
                self[name] = value


def as_expected(config):
    """The same settings as a traitlets Config, if traitlets is in use: its classes accept no other."""
    loader = sys.modules.get("traitlets.config.loader")
    if loader is None or isinstance(config, loader.Config):
        return config
    return loader.Config({name: dict(value) if isinstance(value, Config) else value for name, value in config.items()})
