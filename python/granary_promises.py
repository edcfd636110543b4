"""Tries the limits of a sandbox from inside, and becomes the program if each of them held.

`main` takes pairs of a promise and a value, `--`, and the program with its arguments; src/sandbox/macos/seatbelt-launcher.ts has the
command line. Only decoys are in danger: real files are opened, and nothing is read or written but a first byte and an empty new file,
which is removed again.
"""

import errno
import os
import socket
import sys

_REFUSED = (errno.EPERM, errno.EACCES)


def main() -> None:
    end = sys.argv.index("--")
    promises, program = sys.argv[1:end], sys.argv[end + 1 :]
    for name, value in zip(promises[::2], promises[1::2]):
        broken = _TRIED[name](value)
        if broken is not None:
            sys.exit(
                "granary: sandbox-exec does not limit programs on this system: it let one %s. Nothing was started. "
                "Run Granary in a container or a virtual machine." % broken
            )
    try:
        os.execvp(program[0], program)
    except OSError as problem:
        sys.exit("granary: %s could not be started in the sandbox: %s" % (program[0], problem))


def _hidden(path: str) -> "str | None":
    """Folders in it may be writable: caches of the sandbox are in Granary's own folder."""
    try:
        places = [os.path.join(path, name) for name in os.listdir(path)[:50]]
    except OSError:
        places = [path]
    return next(("read %s" % place for place in places if _first_byte(place)), None)


def _first_byte(path: str) -> bytes:
    try:
        place = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
    except OSError:
        return b""
    try:
        return os.read(place, 1)
    except OSError:
        return b""
    finally:
        os.close(place)


def _read_only(path: str) -> "str | None":
    if os.path.isdir(path):
        return _outside(path)
    return "write %s" % path if _succeeds(lambda: os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))) else None


def _outside(folder: str) -> "str | None":
    path = os.path.join(folder, ".granary-tries-the-sandbox-%d" % os.getpid())
    if not _succeeds(lambda: os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))):
        return None
    os.unlink(path)
    return "write in %s" % folder


def _decoys(folder: str) -> "str | None":
    """Ways around the limits of a path: other names of the file, and other files at its name."""
    hidden, anchor, new = folder + "/hidden", folder + "/anchor", "%s/new-%d-" % (folder, os.getpid())
    outside = os.path.join(os.path.dirname(folder), "outside", "file")
    ways = {
        "read a file in a hidden folder": lambda: open(hidden + "/file").close(),
        "read a hidden file by a link": lambda: (os.symlink(hidden + "/file", new + "1"), open(new + "1").close()),
        "give a hidden file another name": lambda: os.link(hidden + "/file", new + "2"),
        "rename a hidden folder": lambda: os.rename(hidden, new + "3"),
        "give a file outside another name": lambda: os.link(outside, new + "4"),
        "write a file outside": lambda: open(outside, "a").close(),
        "change the mode of a file outside": lambda: os.chmod(outside, 0o644),
        "give a protected file another name": lambda: os.link(anchor + "/file", new + "5"),
        "replace a protected file": lambda: (open(new + "6", "w").close(), os.rename(new + "6", anchor + "/file")),
        "remove a protected file": lambda: os.unlink(anchor + "/file"),
        "rename the folder of a protected file": lambda: os.rename(anchor, new + "7"),
    }
    broken = next((way for way, attempt in ways.items() if _succeeds(attempt)), None)
    for made in (new + "1", new + "6"):
        _succeeds(lambda: os.unlink(made))
    return broken


def _network(choice: str) -> "str | None":
    """Loopback always answers: without limits, that no program listens there."""
    if choice == "on":
        return None
    try:
        with socket.socket() as connection:
            connection.settimeout(2)
            connection.connect(("127.0.0.1", 9))
    except OSError as problem:
        if problem.errno in _REFUSED:
            return None
    return "use the network"


def _succeeds(attempt: "object") -> bool:
    try:
        attempt()
    except OSError:
        return False
    return True


_TRIED = {"hide": _hidden, "readOnly": _read_only, "outside": _outside, "decoys": _decoys, "network": _network}
