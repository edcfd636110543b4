"""The descriptors of this process, as far as the system lists them."""

from __future__ import annotations

import os


def open_now(pid: object = "self") -> "set[tuple[str, str]]":
    """Numbers and targets. Listing opens one more, which is closed again when its target is read."""
    folder = "/proc/%s/fd/" % pid
    found = set()
    for name in os.listdir(folder) if os.path.isdir(folder) else ():
        try:
            found.add((name, os.readlink(folder + name)))
        except OSError:
            pass
    return found


def opened_since_start(known: "tuple[int, ...]") -> bool:
    """Whether Python has opened more than it was given: a `.pth` file or sitecustomize may. The host's own are inherited."""
    others = {one for one in open_now() if int(one[0]) not in known}
    if not others:
        return False
    try:
        return bool(others - open_now(os.getppid()))
    except OSError:
        return True
