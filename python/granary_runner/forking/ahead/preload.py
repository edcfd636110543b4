"""Modules that a warm interpreter imports ahead of its kernels.

Only installed ones: a project's own modules change while one works on them. A module that leaves something behind which a
fork would break or share spoils the interpreter: the host starts another one without that module.
"""

from __future__ import annotations

import os
import sys
import time

from . import hidden, own_changes
from .import_watch import ImportWatch
from .noted_imports import NotedImports
from .origin import is_installed, is_pythons, origin_of


def load(names: "list[str]", seconds: float, megabytes: float, tell) -> "tuple[list[str], list[str]]":
    """Import the modules, as far as time and memory allow; returns the names of those that are loaded, and of all top packages
    that came with them."""
    begun = time.monotonic()
    loaded = []
    variables = set(os.environ)
    with NotedImports() as added, ImportWatch() as watch:
        for name in names:
            why = None
            if time.monotonic() - begun > seconds:
                why = "the modules before it took %g s" % seconds
            elif _megabytes() > megabytes:
                why = "the modules before it took %d MB" % megabytes
            elif not _is_there(name):
                why = "it is not installed, or a module of the project"
            if why is not None:
                tell({"t": "skipped", "module": name, "why": why})
                continue
            tell({"t": "loading", "module": name})
            before = len(sys.modules)
            why = _import(name, added.import_unnoted)
            if why is None and len(sys.modules) > before:  # else it came with one before, and no code of it ran
                why = watch.found() or _of_a_project(added.added())
            if why is not None:
                tell({"t": "spoiled", "module": name, "why": why})
                os._exit(0)
            loaded.append(name)
            added.imported(name)
        _import_our_part()
        names_added = added.added()
    own_changes.take_back(variables)
    hidden.hide(names_added)
    return loaded, hidden.tops(names_added)


def _import_our_part() -> None:
    """Import the parts of Granary that the first cell with a table or a figure needs."""
    from ... import display, formats  # noqa: F401
    from ...cells import errors  # noqa: F401

    if "matplotlib.pyplot" in sys.modules:
        display.flush_figures()  # of which there are none


def _import(name: str, load) -> "str | None":
    try:
        # As a cell does, because some warnings are for the importer's eyes only.
        exec("load(name)", {"__name__": "__main__", "load": load, "name": name})
    except BaseException as problem:
        return "importing it raised %s" % type(problem).__name__
    return None


def _is_there(name: str) -> bool:
    """Found without importing it: only its top package's place is looked at."""
    from importlib.machinery import PathFinder

    top = name.partition(".")[0]
    if top in sys.builtin_module_names or top in sys.modules:
        return True
    try:
        spec = PathFinder.find_spec(top)
    except Exception:
        return False
    origin = getattr(spec, "origin", None)
    return origin is not None and _is_in_library(origin)


def _of_a_project(names: set) -> "str | None":
    """Whether a module of a project came along: its author may edit it at any time."""
    for name in names:
        if name.startswith("granary_runner"):
            continue
        origin = origin_of(sys.modules.get(name)) or ""
        if os.sep in origin and not _is_in_library(origin):
            return "it imports %s, which is not installed" % name
    return None


def _is_in_library(origin: str) -> bool:
    return is_pythons(origin) or is_installed(origin)


def _megabytes() -> float:
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    except OSError:
        return 0.0
