"""The threads of this process, of which a forked child has only the first."""

from __future__ import annotations

import os
import sys


def lost_in_fork() -> int:
    """Threads that a fork would leave behind. OpenBLAS ends its own before each fork, so one comes first."""
    try:
        if len(os.listdir("/proc/self/task")) == 1:
            return 0
        _quietly(_fork_and_end)
        threads = os.listdir("/proc/self/task")
    except OSError:
        import _thread

        return _thread._count()
    return sum(not _comes_back(thread) for thread in threads) - 1 - _numexpr_threads()


def _fork_and_end() -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def _quietly(function):
    """Python 3.12 and later warn of a fork beside threads; we have looked at them."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function()


def _comes_back(thread: str) -> bool:
    """jemalloc, which pyarrow has with it, starts its thread again in a child."""
    try:
        with open("/proc/self/task/%s/comm" % thread) as file:
            return file.read().strip() == "jemalloc_bg_thd"
    except OSError:
        return True  # it has just ended


def _numexpr_threads() -> int:
    """numexpr notices that it is in a child, and starts its threads again; pandas imports it. They have no name."""
    numexpr = sys.modules.get("numexpr")
    return getattr(numexpr, "nthreads", 0) if numexpr is not None else 0
