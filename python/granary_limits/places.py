"""Places by descriptors: a path is opened without links, and nobody can lead the descriptor elsewhere afterwards.

A tree of mounts gets its limits while it is nowhere, and then its place.
"""

import errno
import posix
from _stat import S_ISDIR, S_ISLNK
from _struct import pack

from .system_calls import call, check, failure

OPENAT2, NO_MOUNTS, NO_LINKS = 437, 1, 4
PLACE = posix.O_PATH | posix.O_CLOEXEC
OPEN_TREE, MOVE_MOUNT, FSOPEN, FSCONFIG, FSMOUNT, MOUNT_SETATTR = 428, 429, 430, 431, 432, 442
CLONE, AT_EMPTY_PATH, AT_RECURSIVE = 1, 0x1000, 0x8000
FROM_DESCRIPTOR, TO_DESCRIPTOR = 0x04, 0x40
READ_ONLY, NO_SUID, NO_DEVICES = 1, 2, 4
CLOSE_ON_EXEC, CREATE = 1, 6


def folder_of(path: str) -> str:
    return path.rpartition("/")[0] or "/"


def is_within(path: str, folders: "list[str]") -> bool:
    return any(path == folder or path.startswith(folder + "/") for folder in folders)


def is_folder(place: "str | int") -> bool:
    """Itself: a link to one is none."""
    return S_ISDIR(_mode(place))


def is_link(path: str) -> bool:
    return S_ISLNK(_mode(path))


def _mode(place: "str | int") -> int:
    try:
        return (posix.fstat(place) if isinstance(place, int) else posix.lstat(place)).st_mode
    except OSError:
        return 0


def can_hold_places() -> bool:
    """Linux 5.12 has all of these calls, but filters of some containers do not know them. These two refuse such arguments."""
    attempts = (OPENAT2, -1, None, None, 0), (MOUNT_SETATTR, -1, None, 0, None, 0)
    return all(call("syscall", *attempt) < 0 and failure("").errno == errno.EINVAL for attempt in attempts)


def open_place(path: str) -> int:
    """Fails with ELOOP if any part of the path is a link."""
    place = _open(-100, path, NO_LINKS)
    if place >= 0:
        return place
    problem = failure(path)
    # Linux 5.6 has the call, but filters of some containers do not know it.
    if problem.errno in (errno.ENOSYS, errno.EPERM):
        return walk(path)
    raise problem


def has_mount(above: int, name: str) -> bool:
    """Whether something is mounted on what has this name now."""
    place = _open(above, name, NO_LINKS | NO_MOUNTS)
    if place >= 0:
        posix.close(place)
    return place < 0 and failure(name).errno == errno.EXDEV


def walk(path: str) -> int:
    """The same, part by part."""
    place = posix.open("/", PLACE)
    for part in path.split("/"):
        if part == "":
            continue
        above = place
        try:
            place = posix.open(part, PLACE | posix.O_NOFOLLOW, dir_fd=above)
        finally:
            posix.close(above)
        if S_ISLNK(posix.fstat(place).st_mode):
            posix.close(place)
            raise OSError(errno.ELOOP, "%s: %s" % (path, posix.strerror(errno.ELOOP)))
    return place


def _open(above: int, path: str, resolve: int) -> int:
    how = pack("QQQ", PLACE, 0, resolve)
    return call("syscall", OPENAT2, above, path.encode("utf-8", "surrogateescape"), how, len(how))


def copy(place: int, path: str) -> int:
    """With the mounts below it, and with the flags of each: what is read-only stays so."""
    flags = CLONE | posix.O_CLOEXEC | AT_EMPTY_PATH | AT_RECURSIVE
    return check(call("syscall", OPEN_TREE, place, b"", flags), path)


def read_only(tree: int, path: str, more: int = NO_SUID | NO_DEVICES) -> int:
    attributes = pack("QQQQ", READ_ONLY | more, 0, 0, 0)
    check(call("syscall", MOUNT_SETATTR, tree, b"", AT_EMPTY_PATH | AT_RECURSIVE, attributes, 32), path)
    if not posix.statvfs(tree).f_flag & READ_ONLY:
        raise OSError(errno.EROFS, "%s stayed writable" % path)
    return tree


def put(tree: int, place: int, path: str) -> None:
    check(call("syscall", MOVE_MOUNT, tree, b"", place, b"", FROM_DESCRIPTOR | TO_DESCRIPTOR), path)


def shell_of(folder: str, inner: "list[tuple[str, int]]", links: "list[tuple[str, str]]") -> int:
    """A read-only folder in memory that has nothing but places for these trees, and links to them."""
    system = check(call("syscall", FSOPEN, b"tmpfs", CLOSE_ON_EXEC), folder)
    check(call("syscall", FSCONFIG, system, CREATE, None, None, 0), folder)
    shell = check(call("syscall", FSMOUNT, system, CLOSE_ON_EXEC, 0), folder)
    posix.close(system)
    make_places(shell, folder, inner)
    for at, to in links:
        posix.symlink(to, at[len(folder) + 1 :], dir_fd=shell)
    return read_only(shell, folder)


def make_places(top: int, folder: str, inner: "list[tuple[str, int]]") -> None:
    """In a new folder, where no program has been yet."""
    for path, tree in inner:
        *above, name = path[len(folder) + 1 :].split("/")
        place = top
        for part in above:
            place = _made(part, place)
        if is_folder(tree):
            _made(name, place)
        else:
            posix.close(posix.open(name, posix.O_CREAT | posix.O_WRONLY, 0o600, dir_fd=place))


def _made(name: str, above: int) -> int:
    try:
        posix.mkdir(name, 0o755, dir_fd=above)
    except FileExistsError:
        pass
    return posix.open(name, posix.O_PATH | posix.O_CLOEXEC, dir_fd=above)
