"""Questions about paths, as in `os.path`."""

import posix
from _stat import S_ISDIR, S_ISLNK


def folder_of(path: str) -> str:
    return path.rpartition("/")[0] or "/"


def exists(path: str) -> bool:
    try:
        posix.stat(path)
    except OSError:
        return False
    return True


def is_folder(place: "str | int") -> bool:
    try:
        return S_ISDIR(posix.stat(place).st_mode)
    except OSError:
        return False


def is_link(path: str) -> bool:
    try:
        return S_ISLNK(posix.lstat(path).st_mode)
    except OSError:
        return False
