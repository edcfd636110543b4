"""The token for calls to the host. Never in `os.environ`, which every child process inherits."""

from __future__ import annotations

import sys


def token() -> "str | None":
    """None where the host takes no calls."""
    return None


def keep(secret: str) -> None:
    global token

    def token() -> str:
        return secret

    _forget_the_cell_with(secret)


def _forget_the_cell_with(secret: str) -> None:
    """Kernels keep the source of each cell for tracebacks; the one that brought the token is not to be shown."""
    runner = sys.modules.get("granary_runner.main_module")
    linecache = sys.modules.get("linecache")
    if runner is not None:
        _forget(runner.sources, secret)
    if linecache is not None:
        _forget(linecache.cache, secret)


def _forget(sources: dict, secret: str) -> None:
    for file in [file for file, source in list(sources.items()) if secret in str(source)]:
        del sources[file]
