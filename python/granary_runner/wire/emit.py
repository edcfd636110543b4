"""Frames to the host, in order with the printed bytes."""

from __future__ import annotations

import os
import sys

from ..cells import interrupt
from . import marks, streams
from .frames import dumps, quoted, write_all

_fd = -1
_journal = -1
_journal_page = None  # the same in memory, from the first cell on that is worth it
cell_id: "int | None" = None
host_opens_descriptors = False
_PLAIN_RESULT = '{"t":"result","id":%d,"data":{"text/plain":%s},"metadata":{},"count":%d}'
_CELLS_WITHOUT_PAGE = 20
INLINE = 1_000_000  # in characters: a larger bundle moves values to files
_LONGEST_ERROR = 2 * INLINE + 200_000  # it has the message twice


def open_channel(fd: int) -> None:
    global _fd, _journal, _journal_page, cell_id
    _fd = fd
    if _journal >= 0:  # of the kernel that this one is a copy of
        os.close(_journal)
    _journal = interrupt.journal = -1
    _journal_page = None
    cell_id = None


def use_journal(fd: int) -> None:
    global _journal, _journal_page
    _journal = interrupt.journal = fd
    _journal_page = None


def _enter(cell: int) -> None:
    """Write the number of the cell into the journal, if there is one."""
    if _journal_page is not None:
        _journal_page[:] = cell.to_bytes(8, "little")
    elif _journal >= 0:
        os.pwrite(_journal, cell.to_bytes(8, "little"), 0)
        if cell > _CELLS_WITHOUT_PAGE:
            _map_journal()


def _map_journal() -> None:
    """From here on without a system call. Not at the start: the module takes longer to load than many cells gain by it."""
    global _journal_page
    try:
        from mmap import mmap

        _journal_page = mmap(_journal, 8)
    except (ImportError, OSError, ValueError):
        pass


def journal() -> int:
    """Its descriptor; -1 without one."""
    return _journal


def send(*frames: dict) -> None:
    """Write frames after everything printed so far, in one system call."""
    for frame in frames:
        _fit(frame)
    streams.flush()
    with marks.lock:
        after = marks.settle_for_frames(len(frames))
        if after is not None:
            frames[0]["after"] = after
        _write(frames)


def begin(cell: int) -> None:
    """Report that the cell begins, before its first line runs.

    A frame wakes the host, which costs more than a trivial cell. So with a journal, which the host reads
    only when necessary, this records the cell there; it writes the frame only if output is still in transit, which
    must not be taken for output of the cell.
    """
    streams.flush()
    with marks.lock:
        after = marks.settle_for_frames(1)
        if after is None and _journal >= 0:
            _enter(cell)
            return
        frame = {"t": "started", "id": cell}
        if after is not None:
            frame["after"] = after
        _write((frame,))
    _enter(cell)


def end(cell: int, outcome: str, count: "int | None", frames: list, exits: bool = False) -> None:
    """Write the last frames of a cell, and `done`."""
    for frame in frames:
        _fit(frame)
    streams.flush()
    with marks.lock:
        after = marks.settle_for_frames(len(frames) + 1)
        place = ""
        if after is not None:
            place = ',"after":%d' % after
            if frames:
                frames[0]["after"] = after
        if exits:
            place += ',"exits":true'
        text = "".join([_line(frame) + "\n" for frame in frames])
        # Every cell has one, so build it without JSON.
        done = '{"t":"done","id":%d,"outcome":"%s","count":%s%s}\n' % (cell, outcome, count or "null", place)
        marks.frames_sent += len(frames) + 1
        write_all(_fd, (text + done).encode("ascii"))


def send_at_once(frame: dict) -> None:
    """Write a frame whose order with printed bytes does not matter."""
    with marks.lock:
        _write((frame,))


def _write(frames: "tuple[dict, ...]") -> None:
    text = "".join([_line(frame) + "\n" for frame in frames])
    # Counted before writing: a host that has read them may already use the count.
    marks.frames_sent += len(frames)
    write_all(_fd, text.encode("ascii"))


def _fit(frame: dict) -> None:
    """The host holds a frame in memory and parses its JSON at once, so large and deep values go into files."""
    if "data" in frame:
        size = 0
        for mime, value in frame["data"].items():
            size += len(mime) + (len(value) if type(value) is str else INLINE + 1)
        if size > INLINE or frame["metadata"]:
            from . import large_values

            large_values.fit(frame)
    elif frame["t"] == "error" and len(frame["message"]) + sum(map(len, frame["traceback"])) > _LONGEST_ERROR:
        from . import large_values

        large_values.fit_error(frame)


def _line(frame: dict) -> str:
    if len(frame) == 5 and frame["t"] == "result" and len(frame["data"]) == 1 and not frame["metadata"]:
        text = frame["data"].get("text/plain")
        if type(text) is str:  # most results; JSON would cost more than all else that is done for a frame
            return _PLAIN_RESULT % (frame["id"], quoted(text), frame["count"])
    try:
        return dumps(frame)
    except (ValueError, TypeError, RecursionError):
        from ..formats.json_safe import json_safe

        return dumps(json_safe(frame))


def display(data: dict, metadata: dict, display_id=None, update: bool = False, line: "str | None" = None,
            page: bool = False) -> None:
    frame = {"t": "display", "id": cell_id, "data": data, "metadata": metadata}
    if line is not None:
        frame["line"] = line
    if display_id is not None:
        frame["displayId"] = display_id
    if update:
        frame["update"] = True
    if page:
        frame["page"] = True
    send(frame)
    interrupt.raise_pending_in(sys._getframe(1))


def clear(wait: bool) -> None:
    send({"t": "clear", "id": cell_id, "wait": bool(wait)})
    interrupt.raise_pending_in(sys._getframe(1))


def clock(running: bool) -> None:
    """Pause (False) or resume (True) the timeout of the running cell."""
    send({"t": "clock", "id": cell_id, "running": running})
