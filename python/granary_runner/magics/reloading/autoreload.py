"""%autoreload: reloads edited modules before the next cell.

Each module's file is recorded during its import, so an edit right after the import is noticed. Modules that come
with Python or from an installation are not reloaded unless named with %aimport: an upgrade with %pip would otherwise
reload hundreds of files under the feet of C extensions.
"""

from __future__ import annotations

import importlib
import os
import sys
import sysconfig
from importlib.machinery import SourceFileLoader

from ...cells import execute
from . import watched_files
from .refresh import refresh

followed: set[str] = set()  # named with %aimport
_left_alone: set[str] = set()  # named with %aimport -name
_mode = 0
_OURS = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..")) + os.sep
_LIBRARIES = tuple({sysconfig.get_path(name) + os.sep for name in ("stdlib", "platstdlib")})
_INSTALLED = tuple(os.sep + name + os.sep for name in ("site-packages", "dist-packages"))


def switch(mode: int) -> None:
    """0: off, 1: modules named with %aimport, 2: all that are not installed."""
    global _mode
    _mode = mode
    if mode == 0:
        _remove_from(execute.before_cell, reload_changed)
        _remove_from(sys.meta_path, watched_files.observer)
        return
    if watched_files.observer not in sys.meta_path:
        sys.meta_path.insert(0, watched_files.observer)
    for _, file in _candidates():
        watched_files.note_once(file)
    if reload_changed not in execute.before_cell:
        execute.before_cell.append(reload_changed)


def follow(name: str):
    """Import a module, and reload it whenever it is edited; returns the outermost package."""
    followed.add(name)
    _left_alone.discard(name)
    importlib.import_module(name)
    file = _source_file(sys.modules[name])
    if file is not None:
        watched_files.note_once(file)
    return sys.modules[name.partition(".")[0]]


def leave_alone(name: str) -> None:
    followed.discard(name)
    _left_alone.add(name)


def reload_changed() -> None:
    """Reload edited modules. One that fails keeps its earlier version, and is tried again after the others or an edit."""
    candidates = _candidates()
    changed = {file for file in {file for _, file in candidates} if watched_files.has_changed(file)}
    waiting = list({id(module): module for module, file in candidates if file in changed}.values())
    waiting.reverse()  # a module comes before those it imports, and needs them reloaded first
    failed: dict = {}
    while waiting:
        failed = {module: problem for module, problem in zip(waiting, map(_reload, waiting)) if problem is not None}
        if len(failed) == len(waiting):
            break
        waiting = list(failed)
    for module, problem in failed.items():
        print(_complaint(module, problem), file=sys.stderr)


def _candidates() -> list:
    pairs = [(module, _source_file(module)) for name, module in list(sys.modules.items()) if name != "__main__"]
    return [(module, file) for module, file in pairs if file is not None and _is_wanted(module, file)]


def _source_file(module) -> str | None:
    spec = getattr(module, "__spec__", None)
    loader = getattr(spec, "loader", None)
    origin = getattr(spec, "origin", None)
    return origin if isinstance(loader, SourceFileLoader) and isinstance(origin, str) else None


def _is_wanted(module, file: str) -> bool:
    name = module.__spec__.name
    if name in followed:
        return True
    if _mode == 1 or name in _left_alone or file.startswith(_OURS):
        return False
    return not _is_library(file)


def _is_library(file: str) -> bool:
    return file.startswith(_LIBRARIES) or any(part in file for part in _INSTALLED)


def is_users(module) -> bool:
    """Whether a module is neither Python's own, nor installed, nor ours."""
    file = _source_file(module)
    return file is not None and not file.startswith(_OURS) and not _is_library(file)


def _reload(module) -> Exception | None:
    try:
        refresh(module)
    except Exception as problem:
        return problem
    return None


def _complaint(module, problem: Exception) -> str:
    import traceback

    where = [place for place in traceback.extract_tb(problem.__traceback__) if not place.filename.startswith(_OURS)]
    place = f" ({where[-1].filename}, line {where[-1].lineno})" if where else ""
    reason = traceback.format_exception_only(type(problem), problem)
    text = "".join(reason).strip() if isinstance(problem, SyntaxError) else reason[-1].strip()
    return f"autoreload: {module.__name__} could not be reloaded, its earlier version stays in use.\n{text}{place}"


def _remove_from(items: list, item: object) -> None:
    if item in items:
        items.remove(item)
