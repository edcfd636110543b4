"""The kernel's working folder, which is also first on `sys.path`, even after `os.chdir`.

Jupyter kernels get this file's text with the prelude, so it imports nothing of ours.
"""

from __future__ import annotations

import os
import sys

_IS_SAFE = getattr(sys.flags, "safe_path", False)
_ours: "str | None" = None  # the entry of sys.path that we added


def forget() -> None:
    global _ours
    _ours = None


def enter(folder: str) -> None:
    """Change to the folder, and put it first on sys.path, in place of the one that we added before."""
    global _ours
    os.chdir(folder)
    if _IS_SAFE:
        return
    here = os.getcwd()
    if _ours in sys.path:
        sys.path.remove(_ours)
    is_there_anyway = here in sys.path
    if is_there_anyway:
        sys.path.remove(here)
    sys.path.insert(0, here)
    _ours = None if is_there_anyway else here
