"""The private folder for files that children read, made on first use and removed at the end."""

from __future__ import annotations

import os

_folder: "str | None" = None
_owner = 0


def path() -> str:
    global _folder, _owner
    if _folder is not None and not os.path.exists(_folder):  # a copy of this kernel has ended, and removed it
        _folder = None
    if _folder is None:
        import atexit
        import tempfile

        _folder = tempfile.mkdtemp(prefix="granary-")
        _owner = os.getpid()
        atexit.register(remove)
    return _folder


def inherit(is_ours: bool) -> None:
    """In a copy of the kernel that made the folder."""
    global _folder, _owner
    _owner = os.getpid()
    if not is_ours:
        _folder = None


def remove() -> None:
    global _folder
    if _folder is not None and os.getpid() == _owner:
        import shutil

        shutil.rmtree(_folder, ignore_errors=True)
        _folder = None
