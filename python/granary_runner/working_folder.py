"""The folder a kernel works in: also the first place where imports are looked for, wherever `os.chdir` goes later.

Kernels that are not the runner get this file's text with the prelude, so it imports nothing of ours.
"""

from __future__ import annotations

import os
import sys

_ours: "str | None" = None  # the entry of sys.path that is there only because of us


def enter(folder: str) -> None:
    """Go there, and have it first on sys.path, once; the folder that we had put there before leaves."""
    global _ours
    os.chdir(folder)
    if getattr(sys.flags, "safe_path", False):
        return
    here = os.getcwd()
    if _ours in sys.path:
        sys.path.remove(_ours)
    is_there_anyway = here in sys.path
    if is_there_anyway:
        sys.path.remove(here)
    sys.path.insert(0, here)
    _ours = None if is_there_anyway else here
