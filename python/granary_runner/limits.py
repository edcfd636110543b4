"""The memory limit of this process: an allocation beyond it raises MemoryError. The host watches all processes together.

RLIMIT_DATA also counts memory that is only reserved: 8 MB for the stack of each thread, buffers for each processor. So the limit of
the system follows the memory in use while a cell runs, and is as much higher as memory is reserved and not used. Between cells
there is none: after a MemoryError, the runner needs memory for its report.
"""

from __future__ import annotations

import os
import resource

from .cells import interrupt

interrupt.guard(__file__)

_PAGE = resource.getpagesize()
# May be reserved at once while less than half of the limit is in use: stacks of a hundred threads, and the buffers of a library of
# linear algebra, at its import.
_AT_ONCE = max(1 << 30, (os.cpu_count() or 1) * 64 << 20)

_limit = 0  # in bytes
_reserve = 0  # of the limit, for the runner: its report must not be what the host ends the kernel for
_least = 0  # each cell gets so much in any case: it may delete variables
_most = 0  # that the running cell may use; 0 between cells
_before: "tuple[int, int]" = (0, 0)  # the system's limits without ours

megabytes: "str | None" = None  # the limit, if there is one


def apply() -> bool:
    """False where the system does not tell how much memory is in use."""
    global megabytes, _limit, _reserve, _least, _before
    megabytes = os.environ.pop("GRANARY_MEMORY_LIMIT_MB")
    _limit = int(float(megabytes) * 1024 * 1024)
    _reserve = min(16 << 20, _limit // 8)
    _least = _reserve // 4
    _before = resource.getrlimit(resource.RLIMIT_DATA)
    return _memory() is not None


def begin_cell() -> None:
    global _most
    memory = _memory()
    if memory is not None:
        _most = max(_limit - _reserve, memory[0] + _least)
        _allow(*memory)


def follow() -> None:
    """While a cell runs, from any thread."""
    memory = _memory() if _most else None
    if memory is not None:
        _allow(*memory)
        if not _most:  # the cell has ended in this moment
            _set(_before)


def followed_by(start):
    """`start` of a thread, right after a look: many threads at once reserve memory faster than the limit follows otherwise."""

    def start_thread(*arguments, **options):
        follow()
        return start(*arguments, **options)

    return start_thread


def end_cell(problem: "BaseException | None") -> None:
    """`problem`: what the cell raised."""
    global _most
    _most = 0
    _set(_before)
    if isinstance(problem, MemoryError):
        _drop_echoes(problem)


def _drop_echoes(problem: MemoryError) -> None:
    """Without memory to note the frames that it passes, Python raises another one in each frame."""
    context = problem.__context__
    while isinstance(context, MemoryError) and context.__traceback__ is None:
        context = context.__context__
    problem.__context__ = context


def _memory() -> "tuple[int, int] | None":
    """In bytes: used, as the host counts it, and reserved, as the system does. None without a descriptor, or without memory to ask."""
    try:
        fd = os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC)
        try:
            fields = os.read(fd, 256).split()
        finally:
            os.close(fd)
        return (int(fields[1]) - int(fields[2])) * _PAGE, int(fields[5]) * _PAGE
    except (OSError, MemoryError):
        return None


def _allow(used: int, reserved: int) -> None:
    soft, hard = _before
    # Nearer to the limit, memory must not grow beyond it before we look again.
    limit = reserved + max(_AT_ONCE if used < _limit // 2 else 0, _most - used)
    _set((limit if soft == resource.RLIM_INFINITY else min(limit, soft), hard))


def _set(limits: "tuple[int, int]") -> None:
    try:
        resource.setrlimit(resource.RLIMIT_DATA, limits)
    except (ValueError, OSError):
        pass  # the user's code has set a lower one


def hint(problem: Exception) -> "str | None":
    """One line to add to the error."""
    return None if megabytes is None else f"The setting python.memoryLimitMb limits this kernel to {megabytes} MB."
