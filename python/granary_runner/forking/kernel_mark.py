"""The host ends all processes that carry the kernel's mark in their environment when the kernel ends. Copies outlive it.

The system shows the environment with which a program began, also for its forks. So marks are written there: hidden while the kernel
forks a copy, and replaced in a kernel that was forked.
"""

from __future__ import annotations

import os

_VARIABLE = "GRANARY_KERNEL"
_NAME = b"GRANARY_KERNEL="
_HIDDEN = b"granary_kernel="
_ENV_START, _ENV_END = 47, 48  # in the fields of /proc/self/stat after the name

_place = -1  # the address of the name; 0 without one
_length = 0  # of the value


def keep_place() -> None:
    """In a warm interpreter: the host has left room for the marks of its kernels, which their code need not see."""
    os.environ.pop(_HIDDEN[:-1].decode(), None)


def hide() -> None:
    _write(_HIDDEN)


def show() -> None:
    _write(_NAME)


def begin(mark: "str | None") -> None:
    """In a forked kernel: what it starts belongs to it, and not to the one that it was copied from."""
    if mark is None:
        return
    os.environ[_VARIABLE] = mark
    _write(_NAME, mark.encode())


def _write(name: bytes, value: bytes = b"") -> None:
    global _place
    try:
        if _place < 0:
            _find()
        if _place and len(value) in (0, _length):
            memory = os.open("/proc/self/mem", os.O_RDWR | os.O_CLOEXEC)
            try:
                os.pwrite(memory, name + value, _place)
            finally:
                os.close(memory)
    except (OSError, ValueError, OverflowError):
        _place = 0


def _find() -> None:
    global _place, _length
    _place = 0
    with open("/proc/self/stat", "rb") as file:
        fields = file.read().rpartition(b")")[2].split()
    start, end = int(fields[_ENV_START]), int(fields[_ENV_END])
    with open("/proc/self/mem", "rb", 0) as memory:
        memory.seek(start)
        block = b"\0" + memory.read(end - start)
    for name in (_NAME, _HIDDEN):
        found = block.find(b"\0" + name)
        if found >= 0:
            _place = start + found
            _length = block.index(b"\0", found + 1) - found - 1 - len(name)
            return
