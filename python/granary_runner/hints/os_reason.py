"""The reason of the system behind an error, and the paths it is about: also where a library has only its words."""

from __future__ import annotations

import errno
import os
import re
import stat

# polars raises `OSError("Read-only file system (os error 30)")`, duckdb an IOException with the same words.
_TOLD = (errno.EROFS, errno.EXDEV, errno.EACCES, errno.ENOENT, errno.ENOTDIR)
_PATH = re.compile(r"""'([^'\n]+)'|"([^"\n]+)"|(?<![\w:/])(/[^\s'":,;()]+)""")
_LONGEST = 10_000


def reason(problem: BaseException) -> "tuple[int | None, list[str]]":
    """The error number, or None, and the names of files."""
    if isinstance(problem, OSError) and problem.errno is not None:
        names = (problem.filename, problem.filename2)
        return problem.errno, [os.fsdecode(name) for name in names if isinstance(name, (str, bytes))]
    return reason_in(str(problem))


def reason_in(text: str) -> "tuple[int | None, list[str]]":
    for line in text[:_LONGEST].split("\n"):
        for number in _TOLD:
            if os.strerror(number) in line:
                return number, [next(filter(None, groups)) for groups in _PATH.findall(line)]
    return None, []


def fails_outside(name: str) -> bool:
    """Whether owner and mode forbid it as well: then the sandbox is not the reason. Outside, root may do everything."""
    if os.geteuid() == 0:
        return False
    path = os.path.abspath(name)
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        above = os.path.dirname(path)
        return not os.path.isdir(above) or not _allows(above, 0o3)
    except OSError:  # a folder above that may not be entered; no sandbox forbids that
        return True
    if not _allows(path, 0o4):
        return True
    # A file that can be read was to be written.
    return _is_readable(path, mode) and not _allows(path, 0o2)


def _allows(path: str, wanted: int) -> bool:
    """By the mode alone: `os.access` also knows read-only mounts."""
    found = os.stat(path)
    if found.st_uid == os.geteuid():
        bits = found.st_mode >> 6
    elif found.st_gid in (os.getegid(), *os.getgroups()):
        bits = found.st_mode >> 3
    else:
        bits = found.st_mode
    return bits & wanted == wanted


def _is_readable(path: str, mode: int) -> bool:
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        return False
    try:
        os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
    except OSError:
        return False
    return True


def owner_in_the_way(name: str) -> "tuple[str, int] | None":
    """For root, which has only the rights of an owner inside: the file or folder of another user that keeps it out."""
    path = os.path.realpath(name)
    for place in (path, os.path.dirname(path)):
        try:
            owner = os.stat(place).st_uid
        except OSError:
            continue
        return (place, owner) if os.geteuid() == 0 != owner else None
    return None
