"""A copy of the kernel, forked between two cells. It sleeps until the host wants a kernel with that state.

The kernel itself continues, with its threads, sockets and devices. The copy stays behind every kernel made out of it, so a
checkpoint can be restored several times, and there is a parent to report how such a kernel ends.
"""

from __future__ import annotations

import _signal as signal
import gc
import os
import sys
import time

from ..cells import execute, interrupt
from ..forking import child, kernel_mark
from ..forking.parent import Parent, quiet_fork
from ..wire import control, emit, forks
from ..wire.frames import Lines, dumps, write_all
from . import obstacles, waiting
from .descriptors import Descriptors

interrupt.guard(__file__)

child.get_ready()


def take(wish: dict) -> "Lines | None":
    """Fork a copy, or tell why not. Returns None in the kernel, and the requests of its host in a kernel made out of the copy."""
    waiting.reap()
    why = obstacles.before()
    if why is None:
        made = _fork(wish)
        if type(made) is not str:
            return made
        why = made
    emit.send_at_once({"t": "no-checkpoint", "checkpoint": wish["checkpoint"], "why": why})
    return None


def _fork(wish: dict) -> "Lines | str | None":
    """As `take`; a text is the reason why there is no copy."""
    random = sys.modules.get("random")
    numbers = None if random is None else random.getstate()  # a fork reseeds it
    begun = time.thread_time()
    descriptors = Descriptors()
    try:
        # Here and not in the copy, which may get no processor time before the kernel dies.
        host = child.connect(wish["path"])
    except OSError as problem:
        return "the socket for copies does not answer: %s" % (problem.strerror or problem)
    # No thread of ours holds a lock now, and no signal reaches the copy.
    with control.handling:
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals() if _KNOWS_SIGNALS else range(1, signal.NSIG))
        forks.makes_copy = True
        kernel_mark.hide()
        try:
            pid = quiet_fork()
        except OSError as problem:
            pid = -1
            why = "Python cannot be forked: %s" % (problem.strerror or problem)
        if pid == 0:
            try:
                return _sleep(host, descriptors, mask, numbers)
            except BaseException:
                os._exit(1)  # the user's exit handlers are the kernel's to call
        forks.makes_copy = False
        kernel_mark.show()
        spent = (time.thread_time() - begun) * 1000
        if pid > 0:
            _leave_group(pid)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    if pid > 0:
        waiting.copies.add(pid)
        # Only now, because some libraries end their threads for a fork.
        why = obstacles.after()
        if why is None:
            _introduce(host, wish["word"], {"t": "copy", "pid": pid, "count": execute.count(), "ms": round(spent, 3)})
        else:
            os.kill(pid, signal.SIGKILL)
    os.close(host)
    return why


def _introduce(host: int, word: str, copy: dict) -> None:
    try:
        write_all(host, ("%s copy\n%s\n" % (word, dumps(copy))).encode())
    except OSError:
        pass  # the host is gone, and the copy notices that itself


def _leave_group(pid: int) -> None:
    """A signal to the kernel's group must not reach the copy, not even right after the fork."""
    try:
        os.setpgid(pid, pid)
    except OSError:
        pass  # it has ended


def _sleep(host: int, descriptors: Descriptors, mask, numbers) -> Lines:
    """The copy. Returns only in a kernel made out of it."""
    collects = gc.isenabled()
    gc.disable()  # so that the memory stays shared
    waiting.copies.clear()
    try:
        descriptors.separate(host)
    except OSError:
        os._exit(1)
    name = _rename("granary-copy")
    of_kernel = _prefer("1000")
    signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGCHLD,))
    request = Parent(host).serve()
    _rename(name)
    requests = _become_kernel(request, descriptors, host, of_kernel)
    if numbers is not None:
        sys.modules["random"].setstate(numbers)
    if collects:
        gc.enable()
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    return requests


def _become_kernel(request: dict, descriptors: Descriptors, host: int, of_kernel: "str | None") -> Lines:
    from .. import boot
    from . import renewal

    forks.forget_channels()
    channels = child.leave_parent(request["path"], request["word"], (host,))
    descriptors.separate()
    requests, wish = child.wait_until_wanted(channels[0], "alone")
    renewal.renew(wish["alone"])
    lost = descriptors.lost() + renewal.lost()
    obstacles.begin()
    kernel_mark.begin(wish.get("mark"))
    _prefer(of_kernel)
    forks.makes_copy = False
    boot.connect(channels, requests, {"count": execute.count(), "lost": lost})
    control.listen()
    return requests


def _rename(name: "str | None") -> "str | None":
    """The name that `ps` and `top` show; returns the one before."""
    try:
        with open("/proc/self/comm", "r+") as file:
            before = file.read().strip()
            if name is not None:
                file.write(name)
            return before
    except OSError:
        return None


def _prefer(score: "str | None") -> "str | None":
    """Which process the system ends first when memory runs out: a copy, and never a kernel before it. Returns the score before."""
    if score is None:
        return None
    try:
        with open("/proc/self/oom_score_adj", "r+") as file:
            before = file.read().strip()
            file.write(score)
            return before
    except OSError:
        return None


_KNOWS_SIGNALS = hasattr(signal, "valid_signals")
