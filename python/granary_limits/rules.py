"""Landlock, the filter of system calls, and capabilities."""

import errno
import posix
from _struct import pack

from .places import PLACE, folder_of, is_within, open_place
from .system_calls import address_of, call, check

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_CAP_AMBIENT = 38, 22, 24, 47
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
SHARED_MEMORY = "/dev/shm"

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, TRUNCATE, IOCTL_DEV = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 14, 1 << 15
ON_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV


def landlock_version() -> int:
    """0 where the kernel has none, or where it is turned off."""
    return max(0, call("syscall", CREATE_RULESET, None, 0, 1))


def landlock(policy: dict, covered: "list[str]") -> None:
    """Mounts cover some of the hidden paths, until a program outside replaces them: a mount is gone then. Files of today are listed
    beside secrets, and beside places where one may appear.
    """
    version = landlock_version()
    if version < 1:
        raise OSError(errno.ENOSYS, "this kernel has no Landlock. Install bubblewrap, as with: apt install bubblewrap")
    handled = (1 << 13) - 1
    for needed, right in ((2, 1 << 13), (3, TRUNCATE), (5, IOCTL_DEV)):
        if version >= needed:
            handled |= right
    scoped = 3 if version >= 6 else 0  # abstract sockets, and signals, to processes outside
    attributes = pack("QQQ", handled, 0, scoped)[: 24 if version >= 6 else 16 if version >= 4 else 8]
    rules = check(call("syscall", CREATE_RULESET, attributes, len(attributes), 0), "Landlock")
    reading = EXECUTE | READ_FILE | READ_DIR
    _allow(rules, "/", READ_DIR & handled)
    home, write = policy["home"][0] + "/", policy["write"]
    uncovered = [path for path in policy["hide"] if path not in covered or path.startswith(home)]
    # In a writable folder, only a mount hides.
    hidden = [path for path in {*uncovered, *policy["secretPlaces"]} if not is_within(path, write)]
    for path in readable(hidden + ["/dev"]):  # disks and keyboards are there
        _allow(rules, path, reading & handled, _open_sibling)
    for path in policy["show"]:
        _allow(rules, path, reading & handled)
    for path in write:
        _allow(rules, path, handled)
    for path in policy["devices"]:
        _allow(rules, path, (reading | WRITE_FILE | TRUNCATE | IOCTL_DEV) & handled, _open_device)
    _allow(rules, SHARED_MEMORY, handled, _open_device)  # multiprocessing makes its locks there
    check(call("syscall", RESTRICT_SELF, rules, 0), "Landlock")
    posix.close(rules)


def _allow(rules: int, path: str, rights: int, open_path=open_place) -> None:
    try:
        place = open_path(path)
    except OSError:
        return  # gone, or hidden from this user anyway
    try:
        # Most of them are folders. Files get no rights on folders: the system refuses the rule.
        if call("syscall", ADD_RULE, rules, 1, pack("=Qi", rights, place), 0) < 0:
            given = pack("=Qi", rights & ON_FILES, place)
            check(call("syscall", ADD_RULE, rules, 1, given, 0), "Landlock rule for " + path)
    finally:
        posix.close(place)


def _open_sibling(path: str) -> int:
    """Programs inside cannot change the folders above it."""
    return posix.open(path, PLACE | posix.O_NOFOLLOW)


def _open_device(path: str) -> int:
    """`/dev/fd` is a link, on some systems `/dev/shm` as well, and programs inside cannot change either."""
    return posix.open(path, PLACE)


def readable(hidden: list) -> list:
    """Landlock only allows, so that everything but the hidden paths means: the siblings of each, up to the root."""
    above = set()
    for path in hidden:
        while path != "/":
            path = folder_of(path)
            above.add(path)
    found = []
    for folder in above or {"/"}:
        try:
            with posix.scandir(folder) as entries:
                siblings = [entry.path for entry in entries if not entry.is_symlink()]
        except OSError:
            continue
        found += [path for path in siblings if path not in hidden and path not in above]
    return found


def seccomp(program: bytes) -> None:
    given = pack("H6x", len(program) // 8) + address_of(program)
    check(call("prctl", PR_SET_SECCOMP, 2, given, 0, 0), "seccomp")


def drop_capabilities() -> None:
    """Root without capabilities is an owner of files, and no more. Nothing gives new ones."""
    for number in range(64):
        if call("prctl", PR_CAPBSET_DROP, number, 0, 0, 0) < 0:
            break
    call("prctl", PR_CAP_AMBIENT, 4, 0, 0, 0)
    check(call("capset", pack("Ii", 0x20080522, 0), bytes(24)), "capset")
    check(call("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
