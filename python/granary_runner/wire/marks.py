"""Marks in the byte pipes, which keep printed bytes and frames in order: "Order: marks" in protocol/README.md.

`settled` says that a mark may be left out where the host has read everything; the questions to the operating system below
are how the runner knows.
"""

from __future__ import annotations

import fcntl
import sys
from _thread import RLock

from .frames import write_all

LINUX = sys.platform == "linux"
_FIONREAD = 0x541B  # on the write end of a Linux pipe: bytes nobody has read yet
_SIOCOUTQ = 0x5411  # on a Linux socket: bytes the peer has not read yet
_NOTHING = b"\0\0\0\0"
_CROWDED = 32 * 1024

# Held while a mark or a frame is written. Never taken while waiting for the lock inside a buffered stream:
# that one is taken first, by whoever prints.
lock = RLock()
frames_sent = 0
# Private duplicates of the pipes, so that a cell that closes fd 1 does not lose marks.
out = -1
err = -1

_settled = False
_forked = False  # a child made by fork prints into the same pipes, but puts no marks into them
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
    """The mark that the next frames come after; None when the host has read everything. The caller holds the lock."""
    # The first mark is always written: it parts what the interpreter printed while it started from the first cell.
    if _forked or (_settled and _marks and not _unread(out) and not _unread(err)):
        return None
    return _write_mark(frames_sent + count)


def settle_for_bytes(other: int) -> None:
    """Make sure that what is written next is put after all frames so far and all bytes in the other pipe."""
    if _forked or (_settled and not _unread(other) and not _frames_unread()):
        return
    with lock:
        _write_mark(frames_sent)


def settle_for_both() -> None:
    """Make sure that whatever is written next, to either pipe, is put after everything so far."""
    if _forked or (_settled and not _unread(out) and not _unread(err) and not _frames_unread()):
        return
    with lock:
        _write_mark(frames_sent)


def crowded() -> bool:
    """Whether so much of stdout is unread that whoever prints may be waiting."""
    return LINUX and int.from_bytes(fcntl.ioctl(out, _FIONREAD, _NOTHING), sys.byteorder) > _CROWDED


def after_fork() -> None:
    global lock, _forked
    lock = RLock()
    _forked = True


def _write_mark(frames: int) -> int:
    global _marks
    _marks += 1
    text = b"%b%08x%08x" % (_prefix, _marks, frames)
    write_all(out, text)
    write_all(err, text)
    return _marks


def _unread(fd: int) -> bool:
    return fcntl.ioctl(fd, _FIONREAD, _NOTHING) != _NOTHING


def _frames_unread() -> bool:
    return fcntl.ioctl(_frames_fd, _SIOCOUTQ, _NOTHING) != _NOTHING
