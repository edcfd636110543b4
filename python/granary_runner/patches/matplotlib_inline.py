"""Settings of Jupyter's inline backend: accepted without effect, for they would start an IPython shell in our process."""

from __future__ import annotations


def apply(module) -> None:
    keep_png(module)


def keep_png(module) -> None:
    for name in ("set_matplotlib_formats", "set_matplotlib_close"):
        if name in vars(module):
            setattr(module, name, accepted_setting(name))


def accepted_setting(name: str):
    def setting(*args, **kwargs) -> None:
        """Accepted for compatibility: figures are always shown as PNG and closed at the end of their cell."""

    setting.__name__ = setting.__qualname__ = name
    return setting
