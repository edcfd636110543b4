"""Limits of a process and everything it starts, which nothing takes back: mounts, Landlock, seccomp.

`main` sets the limits of a policy, and becomes the program; src/sandbox/landlock-launcher.ts has the command line. If one of them
cannot be set, the program does not start. This runs in front of every Python in such a sandbox, and each import counts: `_ctypes`
without `ctypes`, `posix` without `os`, and lines of a name and a value instead of JSON.
"""

import errno
import posix
import sys
from _struct import pack

from .mounts import own_mounts
from .places import is_within
from .rules import drop_capabilities, landlock, landlock_version, seccomp
from .system_calls import call, check

CLONE_NEWNET = 0x40000000
AF_INET, SOCK_DGRAM, SIOCSIFFLAGS, IFF_UP = 2, 2, 0x8914, 1


def main() -> None:
    if sys.argv[1] == "--probe":
        print(landlock_version())
        return
    policy = read_policy(sys.argv[1])
    program = sys.argv[2:]
    try:
        covered = own_mounts(policy)
        has_mounts = covered is not None
        if not has_mounts:
            require_nothing_hidden_inside(policy)
        has_network = has_mounts and policy["network"] != ["shared"] and own_network()
        if not has_network and policy["network"] == ["own or none"]:
            raise OSError(errno.EPERM, "hosts in python.sandboxNetwork need a network namespace, which this system does not allow")
        drop_capabilities()
        landlock(policy, covered or [])
        seccomp(bytes.fromhex(policy["seccompOwnNetwork" if has_network else "seccomp"][0]))
    except OSError as problem:
        sys.exit("granary: the sandbox could not be set up: %s" % problem)
    variables = {**posix.environ, b"GRANARY_SANDBOX_MOUNTS": b"1" if has_mounts else b"0"}
    try:
        posix.chdir(policy["cwd"][0])  # through the mounts
        posix.execve(find(program[0]), program, variables)
    except OSError as problem:
        sys.exit("granary: %s could not be started in the sandbox: %s" % (program[0], problem))


def read_policy(text: str) -> dict:
    names = "cwd home mounts network seccomp seccompOwnNetwork tmp empty write show hide secretPlaces"
    policy = {name: [] for name in (names + " readOnly anchors devices coverAt coverFrom linkAt linkTo").split()}
    for line in text.split("\n"):
        name, _, value = line.partition(" ")
        policy[name].append(value)
    return policy


def require_nothing_hidden_inside(policy: dict) -> None:
    """Landlock allows a folder with everything in it."""
    secret = next((path for path in policy["hide"] if is_within(path, policy["write"])), None)
    if secret is not None:
        problem = "%s is hidden, but lies in a folder that programs may write. This needs a mount namespace, which this system does not allow"
        raise OSError(errno.EPERM, (problem + ". Move it out of the folder") % secret)


def find(program: str) -> str:
    """On PATH, unless it is a path."""
    folders = [] if "/" in program else posix.environ.get(b"PATH", b"/bin:/usr/bin").decode("utf-8", "surrogateescape").split(":")
    places = (folder + "/" + program for folder in folders)
    return next((place for place in places if posix.access(place, posix.X_OK)), program)


def own_network() -> bool:
    """A network with nothing in it but loopback, so that servers and clients of the program find each other."""
    if call("unshare", CLONE_NEWNET) != 0:
        return False
    with_loopback = check(call("socket", AF_INET, SOCK_DGRAM, 0), "socket")
    check(call("ioctl", with_loopback, SIOCSIFFLAGS, pack("16sH14x", b"lo", IFF_UP)), "loopback")
    posix.close(with_loopback)
    return True
