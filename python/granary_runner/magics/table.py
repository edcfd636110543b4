"""All magics, and the file of each; a file is imported at the first use of one of its magics.

Such a file has two dictionaries, LINE and CELL, from a magic's name to its function, which takes a `MagicCall`.
"""

from __future__ import annotations

from . import registered
from .syntax.usage_error import UsageError

_LINE_MAGICS_BY_FILE = {
    "reloading.packages": "pip uv conda mamba",
    "files.folders": "cd pwd pushd popd dirs ls ll la cat cp mkdir mv rm rmdir",
    "environment": "env set_env",
    "running.timing": "time timeit",
    "names.listing": "who who_ls whos",
    "names.resetting": "reset reset_selective xdel",
    "names.history": "history hist",
    "running.debugging": "debug xmode tb pdb",
    "running.profiling": "prun",
    "names.storing": "store",
    "running.scripts": "run",
    "files.writing": "load loadpy pycat less more",
    "running.shell_magics": "system sx",
    "reloading.extensions": "load_ext reload_ext unload_ext autoreload aimport",
    "settings": "matplotlib config pprint precision pylab clear colors doctest_mode autosave gui autoawait automagic",
    "overview": "lsmagic magic pinfo pinfo2",
    "files.sources": "pdef pdoc pfile psearch psource",
    "names.aliases": "alias_magic",
    "names.saving": "save",
}
_CELL_MAGICS_BY_FILE = {
    "running.timing": "time timeit",
    "running.capturing": "capture",
    "running.debugging": "debug",
    "running.profiling": "prun",
    "running.shell_magics": "bash sh script python python3 perl ruby system sx",
    "files.writing": "writefile file",
    "markup": "html HTML markdown latex svg SVG javascript js",
}


def _by_name(names_by_file: dict[str, str]) -> dict[str, str]:
    return {name: file for file, names in names_by_file.items() for name in names.split()}


LINE_MAGICS = _by_name(_LINE_MAGICS_BY_FILE)
CELL_MAGICS = _by_name(_CELL_MAGICS_BY_FILE)


def find_line_magic(name: str):
    if name in registered.LINE:
        return registered.adapted(registered.LINE[name])
    if name not in LINE_MAGICS:
        raise UsageError(_unknown("%", name, LINE_MAGICS, "%%", CELL_MAGICS))
    return _module(LINE_MAGICS[name]).LINE[name]


def find_cell_magic(name: str):
    if name in registered.CELL:
        return registered.adapted(registered.CELL[name])
    if name not in CELL_MAGICS:
        raise UsageError(_unknown("%%", name, CELL_MAGICS, "%", LINE_MAGICS))
    return _module(CELL_MAGICS[name]).CELL[name]


def _module(file: str):
    from importlib import import_module

    return import_module("." + file, __package__)


def _unknown(mark: str, name: str, known: dict[str, str], other_mark: str, others: dict[str, str]) -> str:
    mine, theirs = (registered.LINE, registered.CELL) if mark == "%" else (registered.CELL, registered.LINE)
    if name in others or name in theirs:
        where = "on the first line of a cell" if other_mark == "%%" else "on a line of its own"
        return f"{mark}{name} does not exist, but {other_mark}{name} does: write it {where}."
    import difflib

    close = difflib.get_close_matches(name, [*known, *mine], 3)
    suggestion = f"Did you mean {' or '.join(mark + one for one in close)}?" if close else "%lsmagic lists all."
    return f"{mark}{name} does not exist. {suggestion}"


def describe_magic(text: str) -> str | None:
    """The documentation of `%name` or `%%name`."""
    is_cell = text.startswith("%%")
    name = text.lstrip("%").strip()
    known = {**CELL_MAGICS, **registered.CELL} if is_cell else {**LINE_MAGICS, **registered.LINE}
    if name not in known:
        return None
    import inspect

    function = (find_cell_magic if is_cell else find_line_magic)(name)
    mark = "%%" if is_cell else "%"
    return f"{mark}{name}\n{inspect.getdoc(function) or ''}".rstrip()
