"""Files that the sandbox protects: read-only mounts in folders that code may write. Linux neither renames nor removes a mount."""

from __future__ import annotations

import os
import re


def protected_file(names: "list[str]", write: "list[str]", is_busy: bool) -> "str | None":
    """The protected file or folder that an error is about; for one that is busy, also one in the folder that the error names."""
    protected = [place for place, is_read_only in mounts() if is_read_only and _is_below(write, place)]
    for name in names:
        path = os.path.realpath(name)
        for place in protected:
            if path == place or path.startswith(place + "/"):
                return place
            if is_busy and _is_below(write, path) and place.startswith(path + "/"):
                return place
        for place in protected:
            # `shutil.rmtree` opens the folder, so the error has only the last part of the name.
            if is_busy and os.path.basename(place) == name:
                return place
    return None


def _is_below(folders: "list[str]", path: str) -> bool:
    return any(path.startswith(folder + "/") for folder in folders)


def mounts() -> "list[tuple[str, bool]]":
    """Each with whether it is read-only. `os.path.ismount` does not know mounts within one file system."""
    try:
        with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as file:
            fields = [line.split(" ") for line in file]
    except OSError:  # macOS
        return []
    return [(_unescaped(one[4]), "ro" in one[5].split(",")) for one in fields]


def _unescaped(place: str) -> str:
    """Spaces, line breaks and backslashes are octal numbers."""
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), place)
