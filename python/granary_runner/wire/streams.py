"""fd 1 and fd 2: raw pipes to the host, with `sys.stdout` and `sys.stderr` on top."""

from __future__ import annotations

import fcntl
import io
import os
import sys

from ..cells import interrupt
from . import marks
from .frames import write_all

OUT = 1
ERR = 2
_HIGH = 100  # private descriptors are above this

stdout: io.TextIOWrapper
stderr: io.TextIOWrapper

_pipes: "tuple[_Pipe, _Pipe] | None" = None
_broken = False  # a stream could not be flushed
_writing_out = False
_EBADF = 9
_LARGE = 16 * 1024
_large_writes = 0  # current writes that may block until the host reads


class _Pipe(io.RawIOBase):
    """The raw file under sys.stdout or sys.stderr."""

    def __init__(self, fd: int, name: str) -> None:
        self._fd = fd
        self.name = name
        self.mode = "wb"
        self.given_up = False  # drops later writes

    def fileno(self) -> int:
        return self._fd

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return False

    def write(self, data) -> int:
        if self.given_up:
            return len(data)
        global _writes, _bytes, _large_writes
        if interrupt.pending:
            # Before any write, so that the buffer above keeps its content and nothing is written twice.
            interrupt.raise_pending_in(sys._getframe(1))
        self._other_stream_first()
        _writes += 1
        _bytes += len(data)
        marks.settle_for_bytes(marks.err if self._fd == OUT else marks.out)
        large = len(data) > _LARGE
        _large_writes += large
        try:
            if not _wrote(self._fd, data):
                repair()
                write_all(self._fd, data)
        finally:
            _large_writes -= large
        return len(data)

    def _other_stream_first(self) -> None:
        """Flush the other stream first: its content was written earlier."""
        global _writing_out
        if not _writing_out:
            _writing_out = True
            _flush_one(stderr)
            _writing_out = False


def _wrote(fd: int, data) -> bool:
    """Write everything; False if the cell has closed the descriptor."""
    try:
        write_all(fd, data)
    except OSError as problem:
        if problem.errno != _EBADF:
            raise
        return False
    return True


class _ErrorPipe(_Pipe):
    def _other_stream_first(self) -> None:
        if not _writing_out:  # else a write of stdout has called this
            _flush_one(stdout)


class _Buffer(io.BufferedWriter):
    """Tracks itself whether it is closed: every print asks, and a raw file written in Python is slow."""

    closed = False

    def close(self) -> None:
        try:
            super().close()
        finally:
            self.closed = True


def repair() -> None:
    """Reopen fd 1 and 2 after a program closed them."""
    for fd, private in ((OUT, marks.out), (ERR, marks.err)):
        try:
            os.fstat(fd)
        except OSError:
            os.dup2(private, fd)


def before_child() -> None:
    """Before another process may write to our pipes: flush, and order its output after everything so far."""
    if marks.out < 0:  # a module that a warm interpreter imports runs a program: there are no pipes yet
        return
    flush()
    marks.settle_for_both()


def flush() -> None:
    """Flush the user's stream and our own. User code may have replaced, closed or broken the first."""
    current = sys.stdout
    if current is not stdout and current is not None:
        try:
            current.flush()
        except BaseException:  # also SystemExit, which would end the kernel
            pass
    flush_own()


def flush_own() -> None:
    try:
        stdout.flush()
        stderr.flush()
    except (ValueError, OSError):
        _flush_one(stdout)
        _flush_one(stderr)


def _flush_one(stream: io.TextIOWrapper) -> None:
    """Flush, even if the cell broke the stream or its descriptor; `cell_ended` repairs both."""
    global _broken
    try:
        stream.flush()
    except (ValueError, OSError):
        _broken = True


# With more lines than this per flush interval, stdout is buffered in blocks; with fewer bytes, by lines again.
_MANY_WRITES = 100
_FEW_BYTES = 8192
_writes = 0
_bytes = 0


def pace() -> None:
    """Flush, and choose the buffering. Called about every 20 ms while a cell runs.

    By lines, printed text survives a crash of the interpreter; in blocks, a million prints do not cost a million system
    calls. So a cell that prints now and then is buffered by lines, and one that floods, in blocks.
    """
    global _writes, _bytes
    if _large_writes or marks.crowded():
        return  # a printing thread blocks inside the stream, or soon will; this thread must not block with it
    flush_own()
    if _broken:
        return
    if stdout.line_buffering:
        if _writes > _MANY_WRITES:
            stdout.reconfigure(line_buffering=False)
    elif _bytes < _FEW_BYTES:
        stdout.reconfigure(line_buffering=True)
    _writes = _bytes = 0


def after_fork() -> None:
    """A child has no regular flush, and a worker of a pool may live long after its last print."""
    if not (stdout.closed or stdout.line_buffering):
        try:
            stdout.reconfigure(line_buffering=True)
        except (ValueError, OSError):
            pass


def cell_ended() -> None:
    """Flush, because there is no regular flush between cells; and repair streams that the cell closed or broke."""
    if _broken or stdout.closed or stderr.closed:
        _start_anew()
    elif not stdout.line_buffering:
        stdout.reconfigure(line_buffering=True)


def _start_anew() -> None:
    """Both descriptors are our pipes again, with fresh streams on top."""
    global _broken
    for pipe in _pipes:
        pipe.given_up = True
    os.dup2(marks.out, OUT)
    os.dup2(marks.err, ERR)
    _open_text_streams()
    _broken = False


def _open_text_streams() -> None:
    global stdout, stderr, _pipes
    _pipes = (_Pipe(OUT, "<stdout>"), _ErrorPipe(ERR, "<stderr>"))
    ours = sys.stdout is None or sys.stdout is sys.__stdout__
    buffer = _Buffer(_pipes[0], 65536)
    stdout = io.TextIOWrapper(buffer, "utf-8", "backslashreplace", newline="\n", line_buffering=True)
    stdout.mode = "w"
    sys.__stdout__ = stdout
    if ours:
        sys.stdout = stdout
    ours = sys.stderr is None or sys.stderr is sys.__stderr__
    # Line by line and without another buffer below, as Python's own stderr.
    stderr = io.TextIOWrapper(_pipes[1], "utf-8", "backslashreplace", newline="\n", line_buffering=True)
    stderr.mode = "w"
    sys.__stderr__ = stderr
    if ours:
        sys.stderr = stderr


def open_stdin() -> None:
    """fd 0 is the null device, or a program's input; `exit()` closes sys.stdin, but must not free fd 0 for the next file."""
    file = io.FileIO(0, closefd=False)
    file.name = "<stdin>"
    sys.stdin = sys.__stdin__ = io.TextIOWrapper(io.BufferedReader(file), _stdin_encoding, _stdin_errors, newline="\n")
    sys.stdin.mode = "r"


# As Python chose them, from the locale and PYTHONIOENCODING.
_stdin_encoding = getattr(sys.stdin, "encoding", None) or "utf-8"
_stdin_errors = getattr(sys.stdin, "errors", None) or "strict"


def private_copy(fd: int) -> int:
    """The same file under a high number, away from descriptors of user code."""
    try:
        return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, _HIGH)
    except OSError:  # `ulimit -n` is lower: use the upper half of the numbers
        return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, os.sysconf("SC_OPEN_MAX") // 2)


def attach(out: int, err: int, host_settles: bool) -> None:
    """Take the write ends of two pipes as fd 1 and 2. Streams that exist stay: after a fork, others may hold them."""
    for fd, number in ((out, OUT), (err, ERR)):
        if fd != number:
            os.dup2(fd, number)
            os.close(fd)
    is_first = _pipes is None
    if is_first:
        sys.stdout.flush()  # output of sitecustomize and the like does not belong to the first cell
    marks.use_pipes(private_copy(OUT), private_copy(ERR), host_settles)
    if is_first:
        _open_text_streams()
        open_stdin()
