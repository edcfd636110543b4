"""The host ends all processes that carry the kernel's mark in their environment when the kernel ends. Copies outlive it.

The system shows the environment with which a process began, and a fork has that of its parent. So the mark is hidden there while
the kernel forks a copy.
"""

from __future__ import annotations

import os

_NAME = b"GRANARY_KERNEL="
_HIDDEN = b"granary_kernel="
_ENV_START, _ENV_END = 47, 48  # in the fields of /proc/self/stat after the name

_place = -1  # the mark's address; 0 without one


def hide() -> None:
    _write(_HIDDEN)


def show() -> None:
    _write(_NAME)


def forget() -> None:
    """In a kernel made out of a copy: what it starts is not the former kernel's."""
    global _place
    _place = 0
    os.environ.pop("GRANARY_KERNEL", None)


def _write(name: bytes) -> None:
    global _place
    try:
        if _place < 0:
            _place = _find()
        if _place:
            with open("/proc/self/mem", "r+b", 0) as memory:
                memory.seek(_place)
                memory.write(name)
    except (OSError, ValueError, OverflowError):
        _place = 0


def _find() -> int:
    with open("/proc/self/stat", "rb") as file:
        fields = file.read().rpartition(b")")[2].split()
    start, end = int(fields[_ENV_START]), int(fields[_ENV_END])
    with open("/proc/self/mem", "rb", 0) as memory:
        memory.seek(start)
        block = b"\0" + memory.read(end - start)
    found = block.find(b"\0" + _NAME)
    return start + found if found >= 0 else 0
