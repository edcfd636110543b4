"""A mount namespace: read-only and hidden places inside of writable and readable ones, which Landlock cannot express.

Programs in other sandboxes of the same folders can rename folders and put links in their places at any moment. So each path is opened
once, without links, and everything is done to the place by its descriptor. The program inherits none of them.
"""

import errno
import posix

from .places import (
    can_hold_places,
    copy,
    folder_of,
    has_mount,
    is_folder,
    is_link,
    is_within,
    make_places,
    open_place,
    put,
    read_only,
    shell_of,
)
from .rules import SHARED_MEMORY
from .system_calls import call, failure

CLONE_NEWNS, CLONE_NEWUSER, CLONE_NEWIPC = 0x00020000, 0x10000000, 0x08000000
MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 8, 4096, 16384, 1 << 18
TERMINALS = "/dev/pts"
GONE = (errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.ELOOP)


def own_mounts(policy: dict) -> "list[str] | None":
    """The hidden paths that are covered by now. None without a mount namespace."""
    if policy["mounts"] == ["never"] or not _new_mounts():
        return None
    replaced = [path for path in ("/tmp", "/var/tmp") if is_folder(path)]
    # Copies of writable places first: they keep their flags when the rest becomes read-only.
    trees = _prepared(policy, replaced)
    empty = {True: open_place(policy["empty"][0]), False: open_place("/dev/null")}
    # Landlock has no rule for modes, times and attributes.
    read_only(open_place("/"), "/", 0)
    if is_folder(SHARED_MEMORY):
        _own_shared_memory(trees)
    if is_folder(TERMINALS):
        _own_terminals()
    places = _put_all(policy, trees, empty)
    _check(places)
    return [path for path in policy["hide"] if path in places]


def _prepared(policy: dict, replaced: "list[str]") -> "dict[str, int]":
    """Trees for places whose content comes from elsewhere, or is hidden where it is."""
    trees = {path: _copy_of(path) for path in policy["write"]}
    for path in replaced:
        trees[path] = _copy_of(policy["tmp"][0])
    for at, source in zip(policy["coverAt"], policy["coverFrom"]):
        # Programs inside own the private folder, but cannot move a place that is a mount in every sandbox of it.
        if is_within(at, replaced):
            trees[at] = read_only(_copy_of(source), at)
    shown = [path for path in policy["show"] if not is_within(path, policy["write"])]
    used = policy["write"] + shown
    shells = [path for path in policy["hide"] if path not in replaced and any(is_within(other, [path]) for other in used)]
    for path in shown:
        if is_within(path, replaced + shells + [SHARED_MEMORY]):
            trees[path] = read_only(_copy_of(path), path, 0)
    links = list(zip(policy["linkAt"], policy["linkTo"]))
    for path in shells:
        inner = [(other, trees[other]) for other in used if is_within(other, [path])]
        trees[path] = shell_of(path, inner, [link for link in links if folder_of(link[0]) == path])
    return trees


def _put_all(policy: dict, trees: "dict[str, int]", empty: "dict[bool, int]") -> "dict[str, int]":
    """From the root down, because a mount hides the places below it."""
    layers = [(path, lambda place, path: trees[path]) for path in trees]
    layers += [(path, copy) for path in policy["anchors"]]
    layers += [(path, lambda place, path: read_only(copy(place, path), path)) for path in policy["readOnly"]]
    hidden = [path for path in policy["hide"] if path not in trees]
    # Without devices, the copy of /dev/null refuses to be opened, instead of being empty and taking every write.
    layers += [(path, lambda place, path: read_only(copy(empty[is_folder(place)], path), path)) for path in hidden]
    places = {}
    for path, tree_for in sorted(layers, key=lambda layer: len(layer[0])):
        if path not in trees and _nearest(path, places) in policy["hide"]:
            continue  # it is gone with the folder around it
        try:
            place = open_place(path)
        except OSError as problem:
            if problem.errno not in GONE:
                raise
            if path in hidden and not is_within(path, policy["write"]):
                continue  # such as a socket of a program that has ended
            raise _replaced(path)
        places[path] = tree_for(place, path)
        put(places[path], place, path)
        posix.close(place)
    return places


def _nearest(path: str, places: "dict[str, int]") -> str:
    above = folder_of(path)
    while above not in places and above != "/":
        above = folder_of(above)
    return above


def _check(places: "dict[str, int]") -> None:
    """A place may have got another name before its mount, which is not where it should be then."""
    for path in places:
        above = places.get(folder_of(path))
        if above is not None and not has_mount(above, path.rpartition("/")[2]):
            raise _replaced(path)


def _replaced(path: str) -> OSError:
    return OSError(errno.EAGAIN, "%s was replaced" % path)


def _copy_of(path: str) -> int:
    place = open_place(path)
    try:
        return copy(place, path)
    finally:
        posix.close(place)


def _own_shared_memory(trees: "dict[str, int]") -> None:
    """With places for folders of the real one that programs inside use, such as a project."""
    _mount("tmpfs", SHARED_MEMORY, MS_NOSUID | MS_NODEV, "tmpfs")
    place = open_place(SHARED_MEMORY)
    make_places(place, SHARED_MEMORY, [(path, tree) for path, tree in trees.items() if path.startswith(SHARED_MEMORY + "/")])
    posix.close(place)


def _own_terminals() -> None:
    """Terminals of the user's other programs can be read and written by their owner, who is also this program's."""
    _mount("devpts", TERMINALS, MS_NOSUID | MS_NOEXEC, "devpts", "newinstance,ptmxmode=0666,mode=0620")
    if not is_link("/dev/ptmx"):
        _mount(TERMINALS + "/ptmx", "/dev/ptmx", MS_BIND)


def _new_mounts() -> bool:
    """A mount namespace, by root itself or through a user namespace."""
    user, group = posix.geteuid(), posix.getegid()
    if not can_hold_places():
        return False
    if call("unshare", CLONE_NEWNS | CLONE_NEWIPC) != 0:
        if call("unshare", CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWIPC) != 0:
            return False
        try:
            for name, text in (("setgroups", "deny"), ("uid_map", "%d %d 1" % (user, user)), ("gid_map", "%d %d 1" % (group, group))):
                with open("/proc/self/" + name, "w") as file:
                    file.write(text)
        except OSError:
            return False
    return call("mount", None, b"/", None, MS_REC | MS_PRIVATE, None) == 0


def _mount(source: str, target: str, flags: int, kind: "str | None" = None, options: "str | None" = None) -> None:
    """On a path that programs inside cannot change."""
    encode = lambda text: None if text is None else text.encode()  # noqa: E731
    if call("mount", encode(source), encode(target), encode(kind), flags, encode(options)) != 0:
        raise failure("%s cannot be protected" % target)
