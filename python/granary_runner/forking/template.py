"""A warm interpreter: imports what its kernels will need, then forks one whenever the host asks.

It stays single-threaded, so that a fork finds no lock held, and runs no code of the user's but imports. It is the parent
of its kernels, so it reaps them and tells the host how they ended.
"""

from __future__ import annotations

import _signal as signal
import gc
import os
import sys

from ..wire import control, streams
from ..wire.frames import Lines, dumps, loads, write_all
from . import child

_fd = -1
_children: set = set()
_retired = False


def serve(prepare) -> "tuple[int, ...]":
    """Serve the host until it goes. Returns only in a child that is to become a kernel, with its channels."""
    global _fd
    lifeline = _move_up(4)
    control.arm_lifeline(lifeline)
    _fd = _move_up(3)
    requests = Lines(_fd)
    prepare()
    umask = os.umask(0)
    os.umask(umask)
    _get_ready(loads(_next(requests).decode()))
    os.umask(umask)
    # No collection of garbage touches what is here now, so that the kernels share its memory.
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGCHLD, _reap)
    while True:
        request = loads(_next(requests).decode())
        if request["op"] == "fork":
            if _fork(request["fork"]) == 0:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                return child.connect_back(request["path"], request["word"], (_fd, lifeline))
        elif request["op"] == "retire":
            _retire()


def _move_up(fd: int) -> int:
    private = streams.private_copy(fd)
    os.close(fd)
    return private


def _get_ready(request: dict) -> None:
    loaded: list = []
    tops: list = []
    _tell({"t": "begun", "path": [entry for entry in sys.path if entry]})
    if request["modules"]:
        from . import preload

        loaded, tops = preload.load(request["modules"], request["seconds"], request["megabytes"], _tell)
    child.get_ready()
    _tell({"t": "ready", "loaded": loaded, "tops": tops})


def _next(requests: Lines) -> bytes:
    line = requests.next()
    if line is None:
        os._exit(0)  # the host is gone; kernels notice that themselves
    return line


def _fork(number: int) -> int:
    # A child that ends at once is not reaped before the host knows its pid.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGCHLD,))
    try:
        try:
            pid = _quiet_fork()
        except OSError as problem:
            _tell({"t": "unforked", "fork": number, "why": str(problem)})
            return -1
        if pid:
            _children.add(pid)
            _tell({"t": "forked", "fork": number, "pid": pid})
        return pid
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _quiet_fork() -> int:
    if "warnings" not in sys.modules:
        return os.fork()
    from .preload import quietly

    return quietly(os.fork)


def _reap(_signum, _frame) -> None:
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            pid = 0
        if pid == 0:
            break
        _children.discard(pid)
        by_signal = os.WIFSIGNALED(status)
        code = None if by_signal else os.WEXITSTATUS(status)
        _tell({"t": "ended", "pid": pid, "code": code, "signal": os.WTERMSIG(status) if by_signal else None})
    if _retired:
        _retire()


def _retire() -> None:
    """Fork no more, and end with the last kernel, whose end the host wants to know."""
    global _retired
    _retired = True
    if not _children:
        os._exit(0)


def _tell(frame: dict) -> None:
    try:
        write_all(_fd, (dumps(frame) + "\n").encode())
    except OSError:
        os._exit(0)
