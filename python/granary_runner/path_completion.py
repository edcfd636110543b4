"""File names inside a string."""

from __future__ import annotations

import os

_MOST = 500


def paths(typed: str) -> tuple[str, list[str]]:
    """The last part of the path as typed, and what could stand there; a folder ends in a slash."""
    folder, slash, prefix = typed.rpartition("/")
    try:
        with os.scandir(os.path.expanduser(folder + slash) or ".") as entries:
            names = [entry.name + ("/" if entry.is_dir() else "") for entry, _ in zip(entries, range(_MOST))]
    except (OSError, ValueError):
        return prefix, []
    return prefix, [name for name in names if prefix.startswith(".") or not name.startswith(".")]
