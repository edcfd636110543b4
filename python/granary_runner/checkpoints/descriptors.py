"""The files of a copy. It must not hold what its kernel closes: a pipe whose reader waits for its end, a lock, a port.

Ordinary files are opened again, each at the position it had. Sockets and pipes become the null device.
"""

from __future__ import annotations

import os
import stat
import sys

from ..wire import emit, forks

_FILES = "/proc/self/fd"
_FLAGS = os.O_RDONLY | os.O_WRONLY | os.O_RDWR | os.O_APPEND | getattr(os, "O_DIRECT", 0)
_NOT_OPEN = 9  # EBADF
_SQLITE = b"SQLite format 3\0"


class Descriptors:
    """Made in the kernel, right before the fork."""

    def __init__(self) -> None:
        self._positions: dict = {}  # descriptor -> position, of ordinary files
        self._others: list = []
        self._lost: list = []
        ours = {0, 1, 2, emit.journal(), *forks.private()}
        for fd in _open():
            if fd in ours:
                continue
            try:
                if stat.S_ISREG(os.fstat(fd).st_mode):
                    self._positions[fd] = os.lseek(fd, 0, os.SEEK_CUR)
                else:
                    self._others.append(fd)
            except OSError:
                pass  # of the listing itself
        self._children = _children()

    def separate(self, *ours: int) -> None:
        """In the copy, and in each kernel made out of it."""
        null = os.open(os.devnull, os.O_RDWR)
        for fd in self._others:
            if fd not in ours:
                self._let_go(fd, null)
        os.close(null)
        self._others = []
        for fd, position in list(self._positions.items()):
            try:
                _reopen(fd, position)
            except OSError as problem:
                del self._positions[fd]
                # matplotlib closes its fonts in a child. All others are still shared, as after any fork.
                if problem.errno != _NOT_OPEN:
                    self._lost.append("the position in %s" % _path(fd))

    def lost(self) -> "list[str]":
        """In a restored kernel: what was open, and is not as it was."""
        databases = [_path(fd) for fd in self._positions if _is_sqlite(fd)]
        return self._lost + ["a transaction in %s" % path for path in sorted(set(databases))] + self._children

    def _let_go(self, fd: int, null: int) -> None:
        try:
            if stat.S_ISCHR(os.fstat(fd).st_mode):
                return  # a device, such as the null device
            # Python opens nothing that children inherit, so such a descriptor was there when it was started.
            was_there = os.get_inheritable(fd)
            said = None if was_there else _said(fd)
            os.dup2(null, fd, inheritable=was_there)
        except OSError:
            return
        if said is not None and said not in self._lost:
            self._lost.append(said)


def _open() -> "list[int]":
    try:
        return sorted(int(name) for name in os.listdir(_FILES))
    except OSError:
        return []


def _reopen(fd: int, position: int) -> None:
    import fcntl

    flags = fcntl.fcntl(fd, fcntl.F_GETFL) & _FLAGS
    inheritable = os.get_inheritable(fd)
    own = os.open("%s/%d" % (_FILES, fd), flags)
    try:
        os.lseek(own, position, os.SEEK_SET)
        os.dup2(own, fd, inheritable=inheritable)
    finally:
        os.close(own)


def _path(fd: int) -> str:
    try:
        return os.readlink("%s/%d" % (_FILES, fd))
    except OSError:
        return "descriptor %d" % fd


def _said(fd: int) -> "str | None":
    mode = os.fstat(fd).st_mode
    if stat.S_ISSOCK(mode):
        return _said_of_socket(fd)
    if stat.S_ISFIFO(mode):
        path = _path(fd)
        return "a pipe" if path.startswith("pipe:") else "the named pipe %s" % path
    return None  # inner parts of libraries, such as the selector of an event loop


def _said_of_socket(fd: int) -> "str | None":
    import _socket

    one = _socket.socket(fileno=os.dup(fd))
    try:
        if one.family not in (_socket.AF_INET, _socket.AF_INET6):
            return _said_of_local(one)
        try:
            return "the connection to %s:%d" % one.getpeername()[:2]
        except OSError:
            pass
        listens = one.type & 0xF == _socket.SOCK_STREAM and one.getsockopt(_socket.SOL_SOCKET, _ACCEPTS)
        return "the %s %s:%d" % ("server on" if listens else "socket at", *one.getsockname()[:2])
    except OSError:
        return "a socket"
    finally:
        one.close()


def _said_of_local(one) -> "str | None":
    for ask in (one.getpeername, one.getsockname):
        try:
            name = ask()
        except OSError:
            continue
        if name:
            return "the socket %s" % (name.decode("utf-8", "replace") if type(name) is bytes else name)
    return None  # a pair, such as that inside every event loop


_ACCEPTS = 30  # SO_ACCEPTCONN on Linux


def _is_sqlite(fd: int) -> bool:
    if "sqlite3" not in sys.modules:
        return False
    try:
        return os.pread(fd, len(_SQLITE), 0) == _SQLITE
    except OSError:
        return False


def _children() -> "list[str]":
    """The kernel's child processes, in words."""
    from . import waiting

    try:
        with open("/proc/self/task/%d/children" % os.getpid()) as file:
            pids = {int(pid) for pid in file.read().split()} - waiting.copies
    except OSError:
        return []
    return ["the child process %d%s" % (pid, _named(pid)) for pid in sorted(pids)]


def _named(pid: int) -> str:
    try:
        with open("/proc/%d/comm" % pid) as file:
            return " (%s)" % file.read().strip()
    except OSError:
        return ""
