"""A mount namespace: read-only and hidden places inside of writable and readable ones, which Landlock cannot express."""

import errno
import posix
from _struct import pack

from .paths import exists, folder_of, is_folder, is_link
from .rules import SHARED_MEMORY
from .system_calls import call, problem

MOUNT_SETATTR, AT_RECURSIVE = 442, 0x8000
CLONE_NEWNS, CLONE_NEWUSER, CLONE_NEWIPC = 0x00020000, 0x10000000, 0x08000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 1, 2, 4, 8, 32, 4096, 16384, 1 << 18
TERMINALS = "/dev/pts"


def can_mount() -> bool:
    child = posix.fork()
    if child == 0:
        posix._exit(0 if _new_mounts() else 1)
    return posix.waitpid(child, 0)[1] == 0


def own_mounts(policy: dict) -> "list[str] | None":
    """The hidden paths that are covered by now. None without a mount namespace."""
    if policy["mounts"] == ["never"] or not _new_mounts():
        return None
    before = _mount_points() if policy["readOnly"] or policy["anchors"] else {}
    empty = posix.open(policy["empty"][0], posix.O_PATH | posix.O_CLOEXEC)
    replaced = [path for path in ("/tmp", "/var/tmp") if is_folder(path) and not is_link(path)]
    for path in replaced:
        _replace_tmp(path, policy)
    writable = [path for path in policy["write"] if is_folder(path)]
    for path in writable + policy["anchors"]:
        _must(_mount(path, path, MS_BIND | MS_REC), path)
    writable += replaced
    if is_folder(SHARED_MEMORY):
        _must(_mount("tmpfs", SHARED_MEMORY, MS_NOSUID | MS_NODEV, "tmpfs"), SHARED_MEMORY)
        writable.append(SHARED_MEMORY)
    if is_folder(TERMINALS):
        _own_terminals()
        writable.append(TERMINALS)
    # Landlock has no rule for modes, times and attributes. Old kernels lack the call.
    if _set_read_only("/", True, AT_RECURSIVE):
        for path in writable + policy["anchors"]:
            _must(_set_read_only(path, False, 0), path)
    for path in policy["readOnly"]:
        _must(_mount(path, path, MS_BIND | MS_REC), path)
        _must(_mount(None, path, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV), path)
    if before:
        _check_places(policy["anchors"] + policy["readOnly"], before)
    covered = list(replaced)
    for path in policy["hide"]:
        holds_more = any(other.startswith(path + "/") for other in policy["write"] + policy["show"])
        if path in replaced or holds_more or is_link(path) or not exists(path):
            continue  # Landlock alone hides the rest of it
        _must(_mount("/proc/self/fd/%d" % empty if is_folder(path) else "/dev/null", path, MS_BIND), path)
        covered.append(path)
    return covered


def _own_terminals() -> None:
    """Terminals of the user's other programs can be read and written by their owner, who is also this program's."""
    _must(_mount("devpts", TERMINALS, MS_NOSUID | MS_NOEXEC, "devpts", "newinstance,ptmxmode=0666,mode=0620"), TERMINALS)
    if not is_link("/dev/ptmx"):
        _must(_mount(TERMINALS + "/ptmx", "/dev/ptmx", MS_BIND), "/dev/ptmx")


def _new_mounts() -> bool:
    """A mount namespace, by root itself or through a user namespace."""
    user, group = posix.geteuid(), posix.getegid()
    if call("unshare", CLONE_NEWNS | CLONE_NEWIPC) != 0:
        if call("unshare", CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWIPC) != 0:
            return False
        try:
            for name, text in (("setgroups", "deny"), ("uid_map", "%d %d 1" % (user, user)), ("gid_map", "%d %d 1" % (group, group))):
                with open("/proc/self/" + name, "w") as file:
                    file.write(text)
        except OSError:
            return False
    return _mount(None, "/", MS_REC | MS_PRIVATE)


def _set_read_only(path: str, value: bool, flags: int) -> bool:
    attributes = pack("QQQQ", MS_RDONLY if value else 0, 0 if value else MS_RDONLY, 0, 0)
    return call("syscall", MOUNT_SETATTR, -100, path.encode("utf-8", "surrogateescape"), flags, attributes, 32) == 0


def _mount(source: "str | None", target: str, flags: int, kind: "str | None" = None, options: "str | None" = None) -> bool:
    encode = lambda text: None if text is None else text.encode("utf-8", "surrogateescape")  # noqa: E731
    return call("mount", encode(source), encode(target), encode(kind), flags, encode(options)) == 0


def _mount_points() -> dict:
    """Where each mount comes from: a device, and a path on it."""
    places = {}
    with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            _, _, device, root, point = line.split(" ", 5)[:5]
            places[_unescaped(point)] = device + _unescaped(root).rstrip("/")
    return places


def _place_of(path: str, points: dict) -> str:
    above = path
    while above not in points and above != "/":
        above = folder_of(above)
    return points.get(above, "") + (path if above == "/" else path[len(above) :])


def _check_places(paths: "list[str]", before: dict) -> None:
    """A program in another sandbox of the folder could turn one into a link after the plan: its mount would be of another place."""
    now = _mount_points()
    for path in paths:
        if now.get(path) != _place_of(path, before):
            raise OSError(errno.EAGAIN, "%s was replaced" % path)


def _unescaped(text: str) -> str:
    for character in " \t\n\\":
        text = text.replace("\\%03o" % ord(character), character)
    return text


def _replace_tmp(folder: str, policy: dict) -> None:
    """Puts the private folder there, and the folders in it that the program may use back at their places, which the plan has made.

    Programs inside own the private folder. They cannot move a place that is a mount in every sandbox of it.
    """
    covers = [
        (at, posix.open(source, posix.O_PATH | posix.O_CLOEXEC))
        for at, source in zip(policy["coverAt"], policy["coverFrom"])
        if at.startswith(folder + "/")
    ]
    used = [path for path in policy["write"] + policy["show"] if path.startswith(folder + "/") and exists(path)]
    kept = [(path, posix.open(path, posix.O_PATH | posix.O_CLOEXEC)) for path in used]
    _must(_mount(policy["tmp"][0], folder, MS_BIND), folder)
    for path, place in covers + kept:
        _must(_mount("/proc/self/fd/%d" % place, path, MS_BIND | MS_REC), path)
        posix.close(place)


def _must(done: bool, path: str) -> None:
    if not done:
        raise problem("%s cannot be protected" % path)
