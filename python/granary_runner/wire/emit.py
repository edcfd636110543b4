"""Frames to the host, each in its right place among the printed bytes."""

from __future__ import annotations

import os
import sys

from ..cells import interrupt
from . import marks, streams
from .frames import dumps, write_all

_fd = -1
_journal = -1
cell_id: "int | None" = None
host_opens_descriptors = False
INLINE = 1_000_000  # in characters: a bundle with more than this in it is made smaller
_LONGEST_ERROR = 2 * INLINE + 200_000  # the message stands twice in it


def open_channel(fd: int) -> None:
    global _fd, _journal, cell_id
    _fd = fd
    _journal = -1
    cell_id = None


def use_journal(fd: int) -> None:
    global _journal
    _journal = fd


def send(*frames: dict) -> None:
    """Write frames that come after everything printed so far, in one system call."""
    for frame in frames:
        _fit(frame)
    streams.flush()
    with marks.lock:
        after = marks.settle_for_frames(len(frames))
        if after is not None:
            frames[0]["after"] = after
        _write(frames)


def begin(cell: int) -> None:
    """Say that the cell begins, before any of it runs.

    A frame wakes the host, and that costs more than a trivial cell. So where there is a journal, which the host reads
    only when it has to, the cell is entered there; the frame is written only where output is still under way, which
    must not be taken for the cell's.
    """
    streams.flush()
    with marks.lock:
        after = marks.settle_for_frames(1)
        if after is None and _journal >= 0:
            os.pwrite(_journal, cell.to_bytes(8, "little"), 0)
            return
        frame = {"t": "started", "id": cell}
        if after is not None:
            frame["after"] = after
        _write((frame,))
    if _journal >= 0:
        os.pwrite(_journal, cell.to_bytes(8, "little"), 0)


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
        # Every cell has one, so it does not take the detour through JSON.
        done = '{"t":"done","id":%d,"outcome":"%s","count":%s%s}\n' % (cell, outcome, count or "null", place)
        marks.frames_sent += len(frames) + 1
        write_all(_fd, (text + done).encode("ascii"))


def send_at_once(frame: dict) -> None:
    """Write a frame whose place among printed bytes does not matter."""
    with marks.lock:
        _write((frame,))


def _write(frames: "tuple[dict, ...]") -> None:
    text = "".join([_line(frame) + "\n" for frame in frames])
    # Counted before they are written: a host that has read them may already ask how many there were.
    marks.frames_sent += len(frames)
    write_all(_fd, text.encode("ascii"))


def _fit(frame: dict) -> None:
    """The host holds a frame in memory, and its JSON is read in one go: what is large or deep goes beside it, as a file."""
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
    """Pause (False) or resume (True) the time-out of the running cell."""
    send({"t": "clock", "id": cell_id, "running": running})
