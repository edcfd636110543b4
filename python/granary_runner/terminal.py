"""The reader's terminal: libraries use its width to lay out tables and values.

The runner uses this file, and the prelude sends it to Jupyter kernels, so it imports neither.
"""

from __future__ import annotations

import os
import sys

columns: "int | None" = None  # None: no terminal
colors = 0  # of the terminal
_written: dict = {}  # by place: the last value that we wrote


def use(width: "int | None", color_count: int = 0) -> None:
    """Set the reader's terminal; None restores the usual values."""
    global columns, colors
    colors = color_count
    if width == columns:
        return
    columns = width
    text = None if width is None else str(width)
    for name in ("COLUMNS", "JUPYTER_COLUMNS", "POLARS_TABLE_WIDTH"):
        _write(name, os.environ.get(name), text, _outside.get(name), lambda value, name=name: _set_variable(name, value))
    for name, tell in LIBRARIES.items():
        if name in sys.modules:
            tell(sys.modules[name])
    if "IPython" in sys.modules:
        _tell_ipython(sys.modules["IPython"])


def tell_on_import() -> None:
    """For Jupyter kernels; the runner has its own hooks."""
    if not any(isinstance(finder, _ImportFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _ImportFinder())


def tell_pandas(pandas) -> None:
    """Data frames are as wide as the terminal; columns in the middle that do not fit are omitted, as in IPython."""
    for name, wanted, usual in (("display.width", columns, 80), ("display.max_columns", 0, 20)):
        value = None if columns is None else wanted
        _write(name, pandas.get_option(name), value, usual, lambda value, name=name: pandas.set_option(name, value))


def tell_numpy(numpy) -> None:
    now = numpy.get_printoptions()["linewidth"]
    _write("numpy", now, columns, 75, lambda value: numpy.set_printoptions(linewidth=value))


def tell_rich(rich) -> None:
    """rich's own console keeps its first width."""
    console = getattr(rich, "_console", None)
    if console is not None and columns is not None:
        _write("rich", console.width, columns, _written.get("rich", console.width), lambda value: setattr(console, "width", value))


LIBRARIES = {"pandas": tell_pandas, "numpy": tell_numpy, "rich": tell_rich}

# A shell may have exported its width: that of another terminal, or of this one before it was resized.
_outside = {"COLUMNS": os.environ.get("COLUMNS")}


def _tell_ipython(ipython) -> None:
    shell = getattr(ipython, "get_ipython", lambda: None)()
    formatters = getattr(getattr(shell, "display_formatter", None), "formatters", {})
    text = formatters.get("text/plain")
    if text is not None and not type(text).__module__.startswith("granary_runner"):
        _write("IPython", text.max_width, columns and min(columns, 79), 79, lambda value: setattr(text, "max_width", value))


def _write(place: str, now, wanted, usual, write) -> None:
    """A value that is neither the default nor ours is the user's choice, and stays."""
    if now not in (usual, _written.get(place, usual)):
        return
    _written[place] = usual if wanted is None else wanted
    write(_written[place])


def _set_variable(name: str, value: "str | None") -> None:
    if value is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = value


class _ImportFinder:
    """Sets a library's width right after its import, so that it applies to the importing cell."""

    def __init__(self) -> None:
        self._is_searching = False

    def find_spec(self, name, path=None, target=None):
        if name not in LIBRARIES or self._is_searching:
            return None
        from importlib.util import find_spec

        self._is_searching = True
        try:
            spec = find_spec(name)
        finally:
            self._is_searching = False
        if spec is not None and hasattr(spec.loader, "exec_module"):
            _tell_after(spec.loader, name)
        return spec


def _tell_after(loader, name: str) -> None:
    def exec_module(module) -> None:
        del loader.exec_module  # restores the module's own loader
        loader.exec_module(module)
        LIBRARIES[name](sys.modules.get(name, module))

    loader.exec_module = exec_module
