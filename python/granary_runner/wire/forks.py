"""Children: earlier output is flushed first, and a forked child never writes to our private descriptors."""

from __future__ import annotations

import _signal
import _thread
import faulthandler
import os
import sys

from ..cells import interrupt
from . import emit, marks, streams

_pid = 0
_private: "tuple[int, ...]" = ()
_is_kernel = False
makes_copy = False  # the next child is a copy of this kernel for a checkpoint, and no program of the user's


def install(*private: int) -> None:
    global _pid, _private, _is_kernel
    is_first = _pid == 0
    _pid = os.getpid()
    _private = private
    _is_kernel = True
    if not is_first:  # a kernel that a kernel has forked: what follows is in place
        return
    os.register_at_fork(before=_before, after_in_child=_in_child)
    if sys.version_info >= (3, 12):
        os.fork = _without_warning(os.fork)
    os.posix_spawn = flushing(os.posix_spawn)
    os.posix_spawnp = flushing(os.posix_spawnp)
    os.system = system


def park() -> None:
    """In a warm interpreter that was a kernel for a moment: it has no output, and its children become kernels."""
    global _private, _is_kernel
    _private = ()
    _is_kernel = False


def private() -> "tuple[int, ...]":
    return _private


def forget_channels() -> None:
    """In a copy that becomes a kernel: its own channels come next."""
    for fd in _private:
        os.close(fd)


def is_child() -> bool:
    return os.getpid() != _pid


def flushing(function):
    """A function that flushes our buffers and then starts a child, which writes to the same pipes."""

    @interrupt.calls_user_code
    def start(*args, **options):
        streams.before_child()
        interrupt.raise_pending()
        child = _ignoring(function, args, options) if interrupt.ignored_by_user() else function(*args, **options)
        try:
            interrupt.raise_pending()
        except BaseException:
            _end(child)
            raise
        return child

    start.__name__ = start.__qualname__ = function.__name__
    start.__doc__ = function.__doc__
    return start


@interrupt.calls_user_code
def _ignoring(function, args, options):
    """Children inherit an ignored SIGINT from the operating system, which does not know the user's handler."""
    if _thread.get_ident() != interrupt.main_thread:
        return function(*args, **options)
    ours = _signal.signal(_signal.SIGINT, _signal.SIG_IGN)
    try:
        return function(*args, **options)
    finally:
        _signal.signal(_signal.SIGINT, ours)


@interrupt.calls_user_code
def system(command) -> int:
    """Run the command in a shell and return its exit status."""
    # C's system() cannot be interrupted: it ignores SIGINT, and a child that starts a moment later never gets it.
    child = os.posix_spawn("/bin/sh", ["sh", "-c", command], os.environ)
    try:
        return _wait(child)
    except BaseException:
        _end(child)
        raise


@interrupt.waits
def _wait(child: int) -> int:
    return os.waitpid(child, 0)[1]


def _end(child: int) -> None:
    """After an interrupt, wait for this child here, because no other code will."""
    try:
        os.kill(child, _signal.SIGKILL)
        os.waitpid(child, 0)
    except OSError:
        pass


def _without_warning(fork):
    """Python 3.12 warns about a fork with threads. If the only other thread is ours, the warning does not apply."""

    @interrupt.calls_user_code
    def start():
        if _thread._count() > 1:
            return fork()
        import warnings

        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*multi-threaded, use of fork", category=DeprecationWarning)
            return fork()

    start.__name__ = start.__qualname__ = fork.__name__
    start.__doc__ = fork.__doc__
    return start


def _before() -> None:
    if _is_kernel:
        streams.before_child()


def _in_child() -> None:
    if not _is_kernel:
        return
    null = os.open(os.devnull, os.O_RDWR)
    for fd in _private:
        try:
            os.dup2(null, fd, inheritable=False)
        except OSError:  # above the limit that a cell has set, where no other file will be
            os.close(fd)
    if makes_copy:
        for fd in (streams.OUT, streams.ERR):
            os.dup2(null, fd)
    os.close(null)
    marks.after_fork()
    if makes_copy:
        return
    streams.after_fork()
    interrupt.after_fork()
    loop = sys.modules.get("granary_runner.cells.loop")
    if loop is not None:
        loop.after_fork()
    faulthandler.enable(streams.ERR)
    emit.cell_id = None


def leave(problem: "BaseException | None") -> None:
    """The end of a forked child that left its cell: like a program's end, but without our exit handlers."""
    status = 0
    if isinstance(problem, SystemExit):
        status = problem.code if isinstance(problem.code, int) else int(problem.code is not None)
    elif problem is not None:
        from ..cells.errors import print_exception

        print_exception(problem)
        status = 1
    streams.flush()
    os._exit(status)
