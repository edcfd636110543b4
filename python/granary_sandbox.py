"""Starts a program inside Landlock and seccomp: python -I -S granary_sandbox.py POLICY PROGRAM ARGUMENTS.

POLICY has a line for each name and value, see src/sandbox/landlock-launcher.ts: JSON would take longer to import. The limits
hold for the program and everything it starts, and nothing takes them back. If one of them cannot be set, the program does not
start. The interpreter must not come from the folder that is not trusted: this file runs before the limits do.
"""

import binascii
import ctypes
import errno
import os
import stat
import struct
import sys

_libc = ctypes.CDLL(None, use_errno=True)

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_CAP_AMBIENT = 38, 22, 24, 47
CREATE_RULESET, ADD_RULE, RESTRICT_SELF, MOUNT_SETATTR = 444, 445, 446, 442
AT_RECURSIVE = 0x8000
SHARED_MEMORY = "/dev/shm"

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, TRUNCATE, IOCTL_DEV = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 14, 1 << 15
ON_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV

CLONE_NEWNS, CLONE_NEWUSER, CLONE_NEWIPC, CLONE_NEWNET = 0x00020000, 0x10000000, 0x08000000, 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 1, 2, 4, 32, 4096, 16384, 1 << 18


def main() -> None:
    if sys.argv[1] == "--probe":
        print("%d %d" % (landlock_version(), can_mount()))
        return
    policy = read_policy(sys.argv[1])
    program = sys.argv[2:]
    try:
        has_mounts = own_mounts(policy)
        has_network = has_mounts and policy["network"] != ["shared"] and own_network()
        if not has_network and policy["network"] == ["own or none"]:
            raise OSError(errno.EPERM, "hosts in python.sandboxNetwork need a network namespace, which this system does not allow")
        drop_capabilities()
        _check(_libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
        landlock(policy)
        seccomp(binascii.a2b_base64(policy["seccompOwnNetwork" if has_network else "seccomp"][0]))
    except OSError as problem:
        sys.exit("granary: the sandbox could not be set up: %s" % problem)
    os.environ["GRANARY_SANDBOX_MOUNTS"] = "1" if has_mounts else "0"
    try:
        os.chdir(policy["cwd"][0])  # through the mounts
        os.execv(program[0], program) if "/" in program[0] else os.execvp(program[0], program)
    except OSError as problem:
        sys.exit("granary: %s could not be started in the sandbox: %s" % (program[0], problem))


def read_policy(text: str) -> dict:
    names = "cwd mounts network seccomp seccompOwnNetwork tmp empty write show hide readOnly anchors devices"
    policy = {name: [] for name in names.split()}
    for line in text.split("\n"):
        name, _, value = line.partition(" ")
        policy[name].append(value)
    return policy


def _check(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, "%s: %s" % (what, os.strerror(number)))
    return result


def _syscall(number: int, what: str, *arguments) -> int:
    return _check(_libc.syscall(ctypes.c_long(number), *arguments), what)


def landlock_version() -> int:
    """0 where the kernel has none, or where it is turned off."""
    return max(0, _libc.syscall(ctypes.c_long(CREATE_RULESET), None, ctypes.c_size_t(0), ctypes.c_uint32(1)))


def landlock(policy: dict) -> None:
    version = landlock_version()
    if version < 1:
        raise OSError(errno.ENOSYS, "this kernel has no Landlock (Linux 5.13 or newer, with landlock in lsm=)")
    handled = (1 << 13) - 1
    for needed, right in ((2, 1 << 13), (3, TRUNCATE), (5, IOCTL_DEV)):
        if version >= needed:
            handled |= right
    scoped = 3 if version >= 6 else 0  # abstract sockets, and signals, to processes outside
    attributes = struct.pack("QQQ", handled, 0, scoped)[: 24 if version >= 6 else 16 if version >= 4 else 8]
    rules = _syscall(CREATE_RULESET, "Landlock", attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint32(0))
    reading = EXECUTE | READ_FILE | READ_DIR
    _allow(rules, "/", READ_DIR & handled)
    for path in readable(policy["hide"]):
        _allow(rules, path, reading & handled)
    for path in policy["show"]:
        _allow(rules, path, reading & handled)
    for path in policy["write"]:
        _allow(rules, path, handled)
    for path in policy["devices"]:
        _allow(rules, path, (reading | WRITE_FILE | TRUNCATE | IOCTL_DEV) & handled)
    _allow(rules, SHARED_MEMORY, handled)  # multiprocessing makes its locks there
    _syscall(RESTRICT_SELF, "Landlock", ctypes.c_int(rules), ctypes.c_uint32(0))
    os.close(rules)


def _allow(rules: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # gone, or hidden from this user anyway
    try:
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            rights &= ON_FILES
        rule = struct.pack("=Qi", rights, place)
        _syscall(ADD_RULE, "Landlock rule for " + path, ctypes.c_int(rules), ctypes.c_int(1), rule, ctypes.c_uint32(0))
    finally:
        os.close(place)


def readable(hidden: list) -> list:
    """Landlock only allows, so that everything but the hidden paths means: the siblings of each, up to the root."""
    above = set()
    for path in hidden:
        while path != "/":
            path = os.path.dirname(path)
            above.add(path)
    found = []
    for folder in above or {"/"}:
        try:
            names = os.listdir(folder)
        except OSError:
            continue
        paths = (os.path.join(folder, name) for name in names)
        found += [path for path in paths if path not in hidden and path not in above and not os.path.islink(path)]
    return found


def seccomp(program: bytes) -> None:
    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]

    buffer = ctypes.create_string_buffer(program, len(program))
    given = Program(len(program) // 8, ctypes.addressof(buffer))
    _check(_libc.prctl(PR_SET_SECCOMP, 2, ctypes.byref(given), 0, 0), "seccomp")


def drop_capabilities() -> None:
    """Root without capabilities is an owner of files, and no more."""
    for number in range(64):
        if _libc.prctl(PR_CAPBSET_DROP, number, 0, 0, 0) < 0:
            break
    _libc.prctl(PR_CAP_AMBIENT, 4, 0, 0, 0)
    header = struct.pack("Ii", 0x20080522, 0)
    _check(_libc.capset(header, bytes(24)), "capset")


def can_mount() -> bool:
    child = os.fork()
    if child == 0:
        os._exit(0 if _new_mounts() else 1)
    return os.waitpid(child, 0)[1] == 0


def _new_mounts() -> bool:
    """A mount namespace, by root itself or through a user namespace."""
    user, group = os.geteuid(), os.getegid()
    if _libc.unshare(CLONE_NEWNS | CLONE_NEWIPC) != 0:
        if _libc.unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWIPC) != 0:
            return False
        try:
            for name, text in (("setgroups", "deny"), ("uid_map", "%d %d 1" % (user, user)), ("gid_map", "%d %d 1" % (group, group))):
                with open("/proc/self/" + name, "w") as file:
                    file.write(text)
        except OSError:
            return False
    return _mount(None, "/", MS_REC | MS_PRIVATE)


def _set_read_only(path: str, value: bool, flags: int) -> bool:
    attributes = struct.pack("QQQQ", MS_RDONLY if value else 0, 0 if value else MS_RDONLY, 0, 0)
    return _libc.syscall(ctypes.c_long(MOUNT_SETATTR), -100, os.fsencode(path), flags, attributes, ctypes.c_size_t(32)) == 0


def _mount(source: "str | None", target: str, flags: int, kind: "str | None" = None) -> bool:
    encode = lambda text: None if text is None else os.fsencode(text)  # noqa: E731
    return _libc.mount(encode(source), encode(target), encode(kind), ctypes.c_ulong(flags), None) == 0


def own_mounts(policy: dict) -> bool:
    """Read-only and hidden places inside of writable and readable ones, which Landlock cannot express."""
    if policy["mounts"] == ["never"] or not _new_mounts():
        return False
    empty = os.open(policy["empty"][0], os.O_PATH | os.O_CLOEXEC)
    replaced = [path for path in ("/tmp", "/var/tmp") if os.path.isdir(path) and not os.path.islink(path)]
    for path in replaced:
        _replace_tmp(path, policy)
    writable = [path for path in policy["write"] + ["/dev/pts"] if os.path.isdir(path)]
    for path in writable + policy["anchors"]:
        _must(_mount(path, path, MS_BIND | MS_REC), path)
    writable += replaced
    if os.path.isdir(SHARED_MEMORY):
        _must(_mount("tmpfs", SHARED_MEMORY, MS_NOSUID | MS_NODEV, "tmpfs"), SHARED_MEMORY)
        writable.append(SHARED_MEMORY)
    # Landlock has no rule for modes, times and attributes. Old kernels lack the call.
    if _set_read_only("/", True, AT_RECURSIVE):
        for path in writable + policy["anchors"]:
            _must(_set_read_only(path, False, 0), path)
    _check_anchors(policy)
    for path in policy["readOnly"]:
        _must(_mount(path, path, MS_BIND | MS_REC), path)
        _must(_mount(None, path, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV), path)
    for path in policy["hide"]:
        is_folder = os.path.isdir(path)
        holds_more = any(other.startswith(path + "/") for other in policy["write"] + policy["show"])
        if path in replaced or holds_more or not os.path.lexists(path) or os.path.islink(path):
            continue  # Landlock alone hides the rest of it
        _must(_mount("/proc/self/fd/%d" % empty if is_folder else "/dev/null", path, MS_BIND), path)
    return True


def _check_anchors(policy: dict) -> None:
    """Another sandbox of the folder could turn an anchor into a link after the plan: its mount would be of another place."""
    places = {}
    with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            _, _, device, root, point = line.split(" ", 5)[:5]
            places[_unescaped(point)] = device + _unescaped(root).rstrip("/")
    for path in policy["anchors"]:
        folder = max((folder for folder in policy["write"] if path.startswith(folder + "/")), key=len)
        if places.get(path) != places.get(folder, "") + path[len(folder) :]:
            raise OSError(errno.EAGAIN, "%s was replaced" % path)


def _unescaped(text: str) -> str:
    for character in " \t\n\\":
        text = text.replace("\\%03o" % ord(character), character)
    return text


def _replace_tmp(folder: str, policy: dict) -> None:
    """Puts the private folder there, and the folders in it that the program may use back at their places."""
    used = [path for path in policy["write"] + policy["show"] if path.startswith(folder + "/") and os.path.exists(path)]
    kept = [(path, os.open(path, os.O_PATH)) for path in used]
    _must(_mount(policy["tmp"][0], folder, MS_BIND), folder)
    for path, place in kept:
        is_folder = stat.S_ISDIR(os.fstat(place).st_mode)
        os.makedirs(path if is_folder else os.path.dirname(path), mode=0o700, exist_ok=True)
        if not is_folder:
            open(path, "a").close()
        _must(_mount("/proc/self/fd/%d" % place, path, MS_BIND | MS_REC), path)
        os.close(place)


def own_network() -> bool:
    """A network with nothing in it but loopback, so that servers and clients of the program find each other."""
    if _libc.unshare(CLONE_NEWNET) != 0:
        return False
    import _socket
    import fcntl

    with_loopback = _socket.socket(_socket.AF_INET, _socket.SOCK_DGRAM)
    request = struct.pack("16sH14x", b"lo", 1)  # IFF_UP
    fcntl.ioctl(with_loopback.fileno(), 0x8914, request)  # SIOCSIFFLAGS
    with_loopback.close()
    return True


def _must(done: bool, path: str) -> None:
    if not done:
        number = ctypes.get_errno()
        raise OSError(number, "%s cannot be protected: %s" % (path, os.strerror(number)))


main()
