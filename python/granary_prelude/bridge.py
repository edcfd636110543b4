"""The target of calls to the host. The token is never in `os.environ`, which every child process inherits."""

from __future__ import annotations

import sys

_WHY_NOT = "The host serves no tools to this session."
_why_not = _WHY_NOT


def address() -> "tuple[str, str] | None":
    """The host's address and the session's name there; None if the host takes no calls."""
    return None


def token() -> "str | None":
    return None


def why_not() -> str:
    return _why_not


def connect(url: str, session: str, secret: str) -> None:
    global address, token

    def address() -> "tuple[str, str]":
        return url, session

    def token() -> str:
        return secret

    _forget_the_cell_with(secret)


def refuse(reason: str) -> None:
    """The reason why the host takes no calls from here."""
    global _why_not
    _why_not = reason


def _forget_the_cell_with(secret: str) -> None:
    """Kernels keep the source of each cell for tracebacks; hide the cell that contained the token."""
    runner = sys.modules.get("granary_runner.cells.main_module")
    linecache = sys.modules.get("linecache")
    if runner is not None:
        _forget(runner.sources, secret)
    if linecache is not None:
        _forget(linecache.cache, secret)
        _forget(getattr(linecache, "_interactive_cache", {}), secret)


def _forget(sources: dict, secret: str) -> None:
    for file in [file for file, source in list(sources.items()) if secret in str(source)]:
        del sources[file]
