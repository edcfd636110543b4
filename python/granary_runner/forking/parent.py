"""A process that forks kernels when the host asks for one, reaps them, and tells the host how each ended.

The warm interpreter is one, and so is the copy behind every checkpoint. Only their parent can wait for them.
"""

from __future__ import annotations

import _signal as signal
import os
import sys

from ..wire import requests
from ..wire.frames import Lines, dumps, write_all


class Parent:
    def __init__(self, fd: int) -> None:
        self.fd = fd
        self._requests = Lines(fd)
        self._children: set = set()
        self._retired = False
        self._request: dict = {}  # kept, because a child would own the memory that it frees

    def tell(self, frame: dict) -> None:
        try:
            write_all(self.fd, (dumps(frame) + "\n").encode())
        except OSError:
            os._exit(0)

    def next(self, *expected: str) -> dict:
        request = requests.next_of(self._requests, *expected)
        if request is None:
            os._exit(0)  # the host is gone; kernels notice that themselves
        return request

    def serve(self) -> dict:
        """Serve the host until it goes. Returns only in a child, with the request that made it."""
        before = signal.signal(signal.SIGCHLD, self._reap)
        while True:
            self._request = request = self.next("fork", "reap", "retire")
            if request["op"] == "fork":
                if self._fork(request["fork"]) == 0:
                    # None is a handler of C code, which we cannot put back
                    signal.signal(signal.SIGCHLD, signal.SIG_DFL if before is None else before)
                    return request
            elif request["op"] == "reap":
                self._reap_now()
            elif request["op"] == "retire":
                self._retire()
                self._shrink()

    def _fork(self, number: int) -> int:
        # A child that ends at once is not reaped before the host knows its pid.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGCHLD,))
        try:
            try:
                pid = quiet_fork()
            except OSError as problem:
                self.tell({"t": "unforked", "fork": number, "why": str(problem)})
                return -1
            if pid:
                self._children.add(pid)
                self.tell({"t": "forked", "fork": number, "pid": pid})
            return pid
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def _reap_now(self) -> None:
        """Python calls its handlers between two steps: a signal right before it waits for a request is noticed with the next one."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGCHLD,))
        try:
            self._reap()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def _reap(self, *_signal) -> None:
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                pid = 0
            if pid == 0:
                break
            self._children.discard(pid)
            by_signal = os.WIFSIGNALED(status)
            code = None if by_signal else os.WEXITSTATUS(status)
            self.tell({"t": "ended", "pid": pid, "code": code, "signal": os.WTERMSIG(status) if by_signal else None})
        if self._retired:
            self._retire()

    def _retire(self) -> None:
        """Fork no more, and end with the last kernel, whose end the host wants to know."""
        self._retired = True
        if not self._children:
            os._exit(0)


    def _shrink(self) -> None:
        """Free the memory, which is not forked again: only a small program waits for the kernels from now on."""
        try:
            with open("/proc/self/statm") as file:
                resident = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
            if resident < _LARGE:
                return
            python = os.readlink("/proc/self/exe")
            os.set_inheritable(self.fd, True)
            os.execv(python, [python, "-I", "-S", "-c", _REAPER, str(self.fd)])
        except OSError:
            pass  # it waits as it is


_LARGE = 50_000_000
_REAPER = """
import os, sys
while True:
    try:
        pid, status = os.wait()
        ends = ("null", os.WTERMSIG(status)) if os.WIFSIGNALED(status) else (os.WEXITSTATUS(status), "null")
        os.write(int(sys.argv[1]), b'{"t":"ended","pid":%d,"code":%s,"signal":%s}\\n' % (pid, *(str(one).encode() for one in ends)))
    except OSError:
        break
"""


def quiet_fork() -> int:
    """Python 3.12 and later warn of a fork beside threads; we have looked at them."""
    if "warnings" not in sys.modules:
        return _fork()
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _fork()


_fork = os.fork  # before a kernel or a cell replaces it
