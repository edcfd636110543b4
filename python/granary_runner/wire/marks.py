"""Marks in the byte pipes, which keep printed bytes and frames in order: "Order: marks" in protocol/README.md.

`settled` says that a mark may be omitted if the host has read everything; the runner finds this out with the calls
to the operating system below.
"""

from __future__ import annotations

import fcntl
import sys
from _thread import RLock

from .frames import write_all

LINUX = sys.platform == "linux"
_FIONREAD = 0x541B  # on the write end of a Linux pipe: unread bytes
_SIOCOUTQ = 0x5411  # on a Linux socket: bytes that the peer has not read
_NOTHING = bytearray(4)
_CROWDED = 32 * 1024

# Held while a mark or a frame is written. Never held while waiting for the lock of a buffered stream:
# a printing thread takes that lock first.
lock = RLock()
frames_sent = 0
# Private duplicates of the pipes, so that a cell that closes fd 1 does not lose marks.
out = -1
err = -1

_settled = False
_forked = False  # a forked child prints into the same pipes, but writes no marks
_marks = 0
_prefix = b""
_frames_fd = -1


def use_frames(fd: int, mark: str) -> None:
    """The frames of a new host, which has seen none of them and no mark."""
    global _frames_fd, _prefix, _marks, _forked, frames_sent
    _marks = frames_sent = 0
    _forked = False
    _frames_fd = fd
    _prefix = b"\0" + mark.encode()


def use_pipes(out_fd: int, err_fd: int, host_settles: bool) -> None:
    global out, err, _settled
    out, err = out_fd, err_fd
    _settled = LINUX and host_settles


def settle_for_frames(count: int) -> "int | None":
    """The mark that precedes the next frames; None if the host has read everything. The caller holds the lock."""
    # The first mark is always written: it separates the interpreter's start-up output from the first cell.
    if _forked or (_settled and _marks and not _unread(out) and not _unread(err)):
        return None
    return _write_mark(frames_sent + count)


def settle_for_bytes(other: int) -> None:
    """Order the next write after all frames so far and all bytes in the other pipe."""
    if _forked or (_settled and not _unread(other) and not _frames_unread()):
        return
    with lock:
        _write_mark(frames_sent)


def settle_for_both() -> None:
    """Order the next write, to either pipe, after everything so far."""
    if _forked or (_settled and not _unread(out) and not _unread(err) and not _frames_unread()):
        return
    with lock:
        _write_mark(frames_sent)


def crowded() -> bool:
    """Whether so much of stdout is unread that a printing thread may block."""
    return LINUX and int.from_bytes(_count(out, _FIONREAD), sys.byteorder) > _CROWDED


def after_fork() -> None:
    global lock, _forked
    lock = RLock()
    _forked = True


def park() -> None:
    """No host reads the pipes; another one may later."""
    global out, err, _forked
    out = err = -1
    _forked = True


def _write_mark(frames: int) -> int:
    global _marks
    _marks += 1
    text = b"%b%08x%08x" % (_prefix, _marks, frames)
    write_all(out, text)
    write_all(err, text)
    return _marks


def _unread(fd: int) -> bool:
    return _count(fd, _FIONREAD) != _NOTHING


def _frames_unread() -> bool:
    return _count(_frames_fd, _SIOCOUTQ) != _NOTHING


def _count(fd: int, question: int) -> bytearray:
    """The count of the operating system, in its own bytes. Given `bytes`, `ioctl` would raise and drop an exception each time."""
    answer = bytearray(4)
    fcntl.ioctl(fd, question, answer)
    return answer
