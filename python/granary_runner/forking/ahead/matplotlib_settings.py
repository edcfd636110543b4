"""matplotlib reads `matplotlibrc` while it is imported. One that was imported ahead reads it again for the cell, if it is another."""

from __future__ import annotations

import os

VARIABLE = "MATPLOTLIBRC"
_OURS = ("backend", "backend_fallback")  # chosen by Granary or by MPLBACKEND, for every file

_known: "tuple | None" = None


def remember(matplotlib) -> None:
    global _known
    try:
        _known = _state_of(matplotlib)
    except Exception:
        pass  # its settings are read again, then


def read_again(matplotlib) -> None:
    try:
        if _state_of(matplotlib) == _known:
            return
        read = matplotlib.rc_params_from_file(matplotlib.matplotlib_fname())
        new = {name: value for name, value in dict.items(read) if name not in _OURS}
        for settings in (matplotlib.rcParams, matplotlib.rcParamsOrig):
            dict.update(settings, new)
    except Exception:
        pass  # a matplotlib that has changed its inside keeps what it has read


def _state_of(matplotlib) -> tuple:
    path = os.path.abspath(matplotlib.matplotlib_fname())
    found = os.stat(path)
    return path, found.st_ino, found.st_size, found.st_mtime_ns
