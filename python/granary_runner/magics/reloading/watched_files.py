"""The state of modules' files when they were loaded."""

from __future__ import annotations

import os
import sys

_seen: dict[str, tuple[int, int]] = {}


def note(file: str) -> None:
    now = _look(file)
    if now is not None:
        _seen[file] = now


def note_once(file: str) -> None:
    if file not in _seen:
        note(file)


def has_changed(file: str) -> bool:
    """Whether the file changed since it was recorded; also records its new state."""
    now = _look(file)
    if now is None or _seen.setdefault(file, now) == now:
        return False
    _seen[file] = now  # recorded before reading, so an edit during the reload counts as a later edit
    return True


def _look(file: str) -> tuple[int, int] | None:
    try:
        status = os.stat(file)
    except OSError:
        return None  # deleted, or just being replaced: keep the loaded version
    return status.st_mtime_ns, status.st_size


class _ImportObserver:
    """First in sys.meta_path: lets the other finders do the work, and records the file of each module."""

    def find_spec(self, name: str, path=None, target=None):
        for finder in list(sys.meta_path):
            find_spec = None if finder is self else getattr(finder, "find_spec", None)
            spec = None if find_spec is None else find_spec(name, path, target)
            if spec is not None:
                if isinstance(spec.origin, str) and spec.has_location:
                    note(spec.origin)
                return spec
        return None


observer = _ImportObserver()
