"""`os.wait()` and its relatives, which must not see the copies: these are children of the kernel, but not of the user's code."""

from __future__ import annotations

import os

copies: set = set()  # process numbers of the living ones

_NO_CHILD = 10  # ECHILD
_wait, _waitpid, _wait3, _wait4 = os.wait, os.waitpid, os.wait3, os.wait4


def reap() -> None:
    for pid in list(copies):
        try:
            if _waitpid(pid, os.WNOHANG)[0] == 0:
                continue
        except OSError:
            pass
        copies.discard(pid)


def _without_copies(wait):
    """Repeat a wait for any child until it returns one of the user's; raises as Python does when there is none."""
    while copies:
        if not _others():
            reap()
            raise ChildProcessError(_NO_CHILD, os.strerror(_NO_CHILD))
        found = wait()
        if found[0] not in copies:
            return found
        copies.discard(found[0])
    return wait()


def _others() -> bool:
    """Whether the kernel has children that are no copies. Where the system does not say, it may have some."""
    try:
        for thread in os.listdir("/proc/self/task"):
            with open("/proc/self/task/%s/children" % thread) as file:
                if not copies.issuperset(map(int, file.read().split())):
                    return True
    except OSError:
        return True
    return False


def wait():
    return _without_copies(_wait)


def waitpid(pid, options, /):
    return _without_copies(lambda: _waitpid(-1, options)) if pid == -1 else _waitpid(pid, options)


def wait3(options):
    return _without_copies(lambda: _wait3(options))


def wait4(pid, options):
    return _without_copies(lambda: _wait4(-1, options)) if pid == -1 else _wait4(pid, options)


for _own, _pythons in ((wait, _wait), (waitpid, _waitpid), (wait3, _wait3), (wait4, _wait4)):
    _own.__doc__ = _pythons.__doc__
    if getattr(os, _pythons.__name__) is _pythons:
        setattr(os, _pythons.__name__, _own)
