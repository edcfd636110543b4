"""Values that are too large for a frame, or nested too deeply for its JSON, become files.

The host opens such a file when it reads the frame, and confirms; after that the runner releases the file. If the host opens
our descriptors (`pipes` in protocol/README.md) the file has no name, so it disappears with the last process that
has it open. Otherwise it is in the private folder until the host has opened it.
"""

from __future__ import annotations

import os

from ..cells import interrupt
from ..formats.json_safe import json_safe, json_text
from . import emit, replay_folder, streams

interrupt.guard(__file__)

_STEP = 1 << 20  # in characters, encoded at once
_START, _END = 8_000, 12_000  # in characters, of an excerpt
_LONGEST_LINE = 1_000
_MOST_FILES = 20  # of one bundle
_MOST_MESSAGE = 20_000

_files: dict = {}  # number -> a function that releases the file
_made = 0


def fit(frame: dict) -> None:
    """Make a `display` or `result` small enough: large and deep values of its bundle become files."""
    try:
        _fit(frame)
    except Exception as problem:  # usually out of memory
        frame["data"] = {"text/plain": "[this output could not be sent: %s]" % _sentence(problem)}
        frame["metadata"] = {}
        frame.pop("files", None)


def fit_error(frame: dict) -> None:
    """The same for an `error`: its traceback, which includes the message, becomes a file."""
    whole = "\n".join(frame["traceback"])
    frame["file"] = hand_over(whole, is_json=False)
    frame["name"] = frame["name"][:_LONGEST_LINE]
    if len(frame["message"]) > _MOST_MESSAGE:
        frame["message"] = excerpt(frame["message"])
    frame["traceback"] = excerpt(whole).split("\n")


def excerpt(text: str) -> str:
    """The beginning and the end of a long text."""
    start, end = text[:_START], text[-_END:]
    left_out = len(text) - len(start) - len(end)
    return "%s\n[… %s characters are left out here …]\n%s" % (_narrow(start), format(left_out, ","), _narrow(end))


def taken(number: int) -> None:
    """The host has opened the file, or does not want it."""
    let_go = _files.pop(number, None)
    if let_go is not None:
        let_go()


def forget() -> None:
    """In a copy of the kernel: those files are for the host of the other one."""
    if emit.host_opens_descriptors:
        for number in list(_files):
            taken(number)
    _files.clear()


def _fit(frame: dict) -> None:
    data = frame["data"]
    texts = {}
    deep = set()
    for mime, value in data.items():
        if type(value) is str:
            texts[mime] = value
        else:
            texts[mime], is_deep = _as_json(value)
            if is_deep:
                deep.add(mime)
    frame["metadata"] = _fitting_metadata(frame["metadata"])
    room = emit.INLINE - sum(map(len, data))
    if room < 0:
        raise ValueError("the names of its MIME types alone have %d characters" % (emit.INLINE - room))
    files = {}
    for mime in sorted(texts, key=lambda mime: len(texts[mime])):
        text = texts[mime]
        if mime not in deep and len(text) <= room:
            room -= len(text)
            continue
        is_json = type(data[mime]) is not str
        small_enough = len(files) < _MOST_FILES
        files[mime] = hand_over(text, is_json) if small_enough else _lost(text, "There are too many large values.")
        if mime == "text/plain":
            data[mime] = excerpt(text)
        else:
            del data[mime]
    if files:
        frame["files"] = files


def _fitting_metadata(metadata: dict) -> dict:
    text, is_deep = _as_json(metadata)
    if len(text) > emit.INLINE:
        return {}
    if not is_deep:
        return metadata
    return {key: json_text(value) if _as_json(value)[1] else value for key, value in metadata.items()}


def _as_json(value) -> tuple:
    """JSON, and whether it is nested too deeply for a frame."""
    from .frames import dumps

    try:
        return dumps(value), False
    except (ValueError, TypeError):
        value = json_safe(value)
    except RecursionError:
        return json_text(value), True
    return json_text(value), False


def hand_over(text: "str | bytes", is_json: bool) -> dict:
    """Write a value into a file; returns the reference to it, or the problem."""
    global _made
    try:
        fd, path = _new_file()
    except OSError as problem:
        return _lost(text, _sentence(problem))
    written = 0
    try:
        for at in range(0, len(text), _STEP):
            if interrupt.pending:
                raise OSError("it was interrupted")
            piece = text[at : at + _STEP]
            if type(piece) is str:
                piece = piece.encode("utf-8", "replace")
            emit.write_all(fd, piece)
            written += len(piece)
    except OSError as problem:
        _let_go(fd, path)
        return _lost(text, _sentence(problem))
    _made += 1
    number = _made
    _files[number] = lambda: _let_go(fd, path)
    return {"file": number, "path": path or "/proc/%d/fd/%d" % (os.getpid(), fd), "bytes": written, "json": is_json}


def _lost(text: "str | bytes", problem: str) -> dict:
    return {"bytes": len(text), "problem": problem, "json": False}


def _new_file() -> "tuple[int, str | None]":
    """A descriptor, and the name of the file if it needs one."""
    if not emit.host_opens_descriptors:
        path = os.path.join(replay_folder.path(), os.urandom(8).hex())
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), path
    problem = None
    for folder in (os.environ.get("TMPDIR"), "/tmp", "/var/tmp"):
        if not folder:
            continue
        path = os.path.join(folder, "granary-" + os.urandom(8).hex())
        try:
            fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        except OSError as failed:
            problem = problem or failed
            continue
        os.unlink(path)
        private = streams.private_copy(fd)
        os.close(fd)
        return private, None
    raise problem or OSError("there is no folder for temporary files")


def _let_go(fd: int, path: "str | None") -> None:
    for function, argument in ((os.close, fd), (os.unlink, path)):
        try:
            if argument is not None:
                function(argument)
        except OSError:
            pass  # the cell closed our descriptor


def _narrow(text: str) -> str:
    half = _LONGEST_LINE // 2
    lines = text.split("\n")
    return "\n".join([line if len(line) <= _LONGEST_LINE else line[:half] + " … " + line[-half:] for line in lines])


def _sentence(problem: Exception) -> str:
    text = getattr(problem, "strerror", None) or str(problem) or type(problem).__name__
    return str(text)[:_LONGEST_LINE]
