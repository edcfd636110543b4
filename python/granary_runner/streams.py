"""fd 1 and fd 2: raw pipes to the host, `sys.stdout` and `sys.stderr` on top, and the marks that keep order.

See "Order: marks" in protocol/README.md. `settled` decides whether a mark may be left out when the host has read
everything; the two questions to the operating system below are how the runner knows.
"""

from __future__ import annotations

import fcntl
import io
import os
import sys
from _thread import RLock

from . import interrupt
from .frames import write_all

_LINUX = sys.platform == "linux"
_FIONREAD = 0x541B  # on the write end of a Linux pipe: bytes nobody has read yet
_SIOCOUTQ = 0x5411  # on a Linux socket: bytes the peer has not read yet
_NOTHING = b"\0\0\0\0"

OUT = 1
ERR = 2

# Held while a mark or a frame is written. Never taken while waiting for the lock inside a buffered stream:
# that one is taken first, by whoever prints.
lock = RLock()
settles = _LINUX
settled = False
forked = False  # in a child made by fork: it prints into the same pipes, but puts no marks into them
frames_sent = 0

_writing_out = False
_marks = 0
_prefix = b""
_frames_fd = -1
_out = -1  # private duplicates of the pipes, so that a cell that closes fd 1 does not lose marks
_err = -1

stdout: io.TextIOWrapper
stderr: io.TextIOWrapper


def set_frames(fd: int, mark: str) -> None:
    global _frames_fd, _prefix
    _frames_fd = fd
    _prefix = b"\0" + mark.encode()


def _unread(fd: int) -> bool:
    return fcntl.ioctl(fd, _FIONREAD, _NOTHING) != _NOTHING


def _crowded(fd: int) -> bool:
    return int.from_bytes(fcntl.ioctl(fd, _FIONREAD, _NOTHING), sys.byteorder) > 32 * 1024


def _frames_unread() -> bool:
    return fcntl.ioctl(_frames_fd, _SIOCOUTQ, _NOTHING) != _NOTHING


def mark(frames: int) -> int:
    """Write a mark into both pipes. The caller holds the lock."""
    global _marks
    _marks += 1
    text = b"%b%08x%08x" % (_prefix, _marks, frames)
    write_all(_out, text)
    write_all(_err, text)
    return _marks


def settle_for_frames(count: int) -> "int | None":
    """The mark that the next frames come after; None when the host has read everything. The caller holds the lock."""
    if forked or (settled and not _unread(_out) and not _unread(_err)):
        return None
    return mark(frames_sent + count)


def settle_for_bytes(other: int) -> None:
    """Make sure that what is written next is put after all frames so far and all bytes in the other pipe."""
    if forked or (settled and not _unread(other) and not _frames_unread()):
        return
    with lock:
        mark(frames_sent)


def settle_for_child() -> None:
    """Before another process may write to our pipes: flush, and put its output after everything so far."""
    flush()
    if forked or (settled and not _unread(_out) and not _unread(_err) and not _frames_unread()):
        return
    with lock:
        mark(frames_sent)


class _Pipe(io.RawIOBase):
    """The raw file under sys.stdout or sys.stderr."""

    def __init__(self, fd: int, name: str) -> None:
        self._fd = fd
        self.name = name
        self.mode = "wb"

    def fileno(self) -> int:
        return self._fd

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return False

    def write(self, data) -> int:
        global _writes, _bytes
        if interrupt.pending:
            # Before anything is written, so that the buffer above keeps what it has and nothing is written twice.
            interrupt.raise_pending_in(sys._getframe(1))
        self._other_stream_first()
        _writes += 1
        _bytes += len(data)
        settle_for_bytes(_err if self._fd == OUT else _out)
        try:
            write_all(self._fd, data)
        except OSError as problem:
            import errno

            if problem.errno != errno.EBADF:
                raise
            repair()
            write_all(self._fd, data)
        return len(data)


    def _other_stream_first(self) -> None:
        """What the other stream still holds was written before this, and goes first."""
        global _writing_out
        if not _writing_out:
            _writing_out = True
            try:
                stderr.flush()
            except ValueError:
                pass  # closed by the cell
            finally:
                _writing_out = False


class _ErrorPipe(_Pipe):
    def _other_stream_first(self) -> None:
        if not _writing_out:  # else stdout is being written, and has asked for this
            flush_own()


def repair() -> None:
    """Give fd 1 and 2 back to a program that closed them."""
    for fd, private in ((OUT, _out), (ERR, _err)):
        try:
            os.fstat(fd)
        except OSError:
            os.dup2(private, fd)


def flush() -> None:
    """Push out what the user's stream and our own hold. User code may have replaced, closed or broken the first."""
    current = sys.stdout
    if current is not stdout and current is not None:
        try:
            current.flush()
        except Exception:
            pass
    flush_own()


def flush_own() -> None:
    try:
        stdout.flush()
        stderr.flush()
    except ValueError:  # closed by the cell
        _open_text_streams()


# More lines than this within one flush interval, and stdout is buffered in blocks; fewer bytes, and by lines again.
_MANY_WRITES = 100
_FEW_BYTES = 8192
_writes = 0
_bytes = 0


def pace() -> None:
    """Flush, and choose the buffering. Called about every 20 ms while a cell runs.

    By lines, what was printed survives a crash of the interpreter; in blocks, a million prints cost no million system
    calls. So a cell that prints a line now and then has the first, and one that floods the second.
    """
    global _writes, _bytes
    if _LINUX and _crowded(_out):
        return  # whoever prints may be waiting inside the stream; this thread must not wait with it
    flush_own()
    if stdout.line_buffering:
        if _writes > _MANY_WRITES:
            stdout.reconfigure(line_buffering=False)
    elif _bytes < _FEW_BYTES:
        stdout.reconfigure(line_buffering=True)
    _writes = _bytes = 0


def cell_ended() -> None:
    """Between cells nobody flushes by the clock; and the next cell gets back what this one closed."""
    if stdout.closed or stderr.closed:
        _open_text_streams()
    elif not stdout.line_buffering:
        stdout.reconfigure(line_buffering=True)


def _open_text_streams() -> None:
    global stdout, stderr
    ours = sys.stdout is None or sys.stdout is sys.__stdout__
    buffer = io.BufferedWriter(_Pipe(OUT, "<stdout>"), 65536)
    stdout = io.TextIOWrapper(buffer, "utf-8", "backslashreplace", newline="\n", line_buffering=True)
    stdout.mode = "w"
    sys.__stdout__ = stdout
    if ours:
        sys.stdout = stdout
    ours = sys.stderr is None or sys.stderr is sys.__stderr__
    # Line by line and without another buffer below, as Python's own stderr.
    stderr = io.TextIOWrapper(_ErrorPipe(ERR, "<stderr>"), "utf-8", "backslashreplace", newline="\n", line_buffering=True)
    stderr.mode = "w"
    sys.__stderr__ = stderr
    if ours:
        sys.stderr = stderr


def open_stdin() -> None:
    """fd 0 is the null device; `exit()` closes sys.stdin, and must not free fd 0 for the next file."""
    sys.stdin = sys.__stdin__ = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)), "utf-8")


def attach(out: int, err: int, host_settles: bool) -> None:
    """Take the write ends of two pipes as fd 1 and 2."""
    global _out, _err, settled
    settled = settles and host_settles
    if out != OUT:
        os.dup2(out, OUT)
        os.close(out)
    if err != ERR:
        os.dup2(err, ERR)
        os.close(err)
    sys.stdout.flush()  # what sitecustomize and the like have printed is nobody's output, not the first cell's
    _out = fcntl.fcntl(OUT, fcntl.F_DUPFD_CLOEXEC, 100)
    _err = fcntl.fcntl(ERR, fcntl.F_DUPFD_CLOEXEC, 100)
    _open_text_streams()
    open_stdin()


def private_descriptors() -> "tuple[int, int]":
    return _out, _err


def after_fork() -> None:
    global lock, forked
    lock = RLock()
    forked = True
