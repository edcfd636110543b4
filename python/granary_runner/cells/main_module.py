"""The `__main__` that user code lives in, and the sources of its cells.

Being the real `__main__` is what makes pickle, dataclasses, type hints and multiprocessing work. It has no `__file__`,
as in an interactive Python; only callers that need one to find a cell's source get it (see `cell_files`).
"""

from __future__ import annotations

import builtins
import sys

sources: dict = {}  # file name of a cell -> its source


class _Main(type(sys)):
    def __getattr__(self, name: str):
        if name == "__file__":
            from . import cell_files

            file = cell_files.answer(sys._getframe(1))
            if file is not None:
                return file
        raise AttributeError("module '__main__' has no attribute %r" % name)


def install() -> dict:
    """Replace the script that started us with a fresh `__main__`, and return its namespace."""
    main = _Main("__main__")
    main.__builtins__ = builtins
    sys.modules["__main__"] = main
    sys.argv[:] = [""]
    del getattr(sys, "orig_argv", sys.argv)[1:]  # Python 3.10 and later: our own command line
    return main.__dict__


def search_working_folder() -> None:
    """Imports look there first, as in an interactive Python."""
    if not getattr(sys.flags, "safe_path", False):
        sys.path.insert(0, "")


def remember(file: str, source: str) -> None:
    """Let tracebacks, warnings and inspect find the source of a cell."""
    sources[file] = source
    linecache = sys.modules.get("linecache")
    if linecache is not None:
        _enter(linecache, file, source)


def forget(file: str) -> None:
    """The source of a cell that is not needed any more."""
    if sources.pop(file, None) is not None and "linecache" in sys.modules:
        sys.modules["linecache"].cache.pop(file, None)


def fill(linecache) -> None:
    """`linecache` has just been imported (it is too heavy to import at start): tell it about all cells."""
    for file, source in sources.items():
        _enter(linecache, file, source)


def _enter(linecache, file: str, source: str) -> None:
    # Only a modification time of None survives linecache.checkcache(); the carets of tracebacks need whole lines.
    # Not splitlines(): Python does not end a line at a form feed or U+2028.
    lines = [line + "\n" for line in source.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    linecache.cache[file] = (len(source), None, lines, file)
