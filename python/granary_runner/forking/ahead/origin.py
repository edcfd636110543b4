"""Where a package came from when it was imported ahead, and whether an import would find the same there now."""

from __future__ import annotations

import os
import sys

_LIBRARY = os.path.dirname(os.__file__) + os.sep
_INSTALLED = (os.sep + "site-packages" + os.sep, os.sep + "dist-packages" + os.sep)


class Origin:
    def __init__(self, name: str, module) -> None:
        self._name = name
        self._path = origin_of(module)
        self._loader = type(module.__spec__.loader)
        self._file = _stat(self._path)
        # Cython registers modules of a package under names of their own, such as `_cyutility`, that no import finds.
        self._has_own_name = not self.is_found()

    def is_found(self) -> bool:
        """At the same place."""
        found = self._find()
        return found is not None and found.origin == self._path

    def is_same(self, minds_hooks: bool) -> bool:
        """The same file, unchanged. An import hook that instruments packages (beartype, typeguard) has a loader of its own."""
        if self._has_own_name:
            return True
        found = self._find()
        if found is None or found.origin != self._path or (minds_hooks and type(found.loader) is not self._loader):
            return False
        return self._file is not None and _is_unchanged(self._file, _stat(self._path))

    def _find(self):
        from ...import_hooks import PatchFinder, ShimFinder
        from .hidden import Finder

        for finder in sys.meta_path:
            if isinstance(finder, (Finder, PatchFinder, ShimFinder)) or not hasattr(finder, "find_spec"):
                continue
            spec = finder.find_spec(self._name, None, None)
            if spec is not None:
                return spec
        return None


def origin_of(module) -> "str | None":
    origin = getattr(getattr(module, "__spec__", None), "origin", None)
    return origin if type(origin) is str else None


def is_installed(path: str) -> bool:
    return any(folder in path for folder in _INSTALLED)


def is_pythons(path: str) -> bool:
    """Of Python's own library."""
    return path.startswith(_LIBRARY) and not is_installed(path)


def is_compiled(module) -> bool:
    return (origin_of(module) or "").endswith(".so")


def _stat(path: "str | None") -> "os.stat_result | None":
    try:
        return os.stat(path) if path is not None else None
    except OSError:
        return None


def _is_unchanged(before: os.stat_result, now: "os.stat_result | None") -> bool:
    if now is None or (before.st_ino, before.st_size, before.st_mtime_ns) != (now.st_ino, now.st_size, now.st_mtime_ns):
        return False
    # An installer may keep the times of files, and a new file may get the number of a removed one. Another link, as uv makes
    # in each environment, is no change.
    return before.st_ctime_ns == now.st_ctime_ns or before.st_nlink != now.st_nlink
