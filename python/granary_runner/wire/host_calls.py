"""Calls to the host's tools: a call goes out on *frames*, after everything printed so far; its reply comes on *control*."""

from __future__ import annotations

from _thread import get_ident

from ..cells import interrupt
from . import control, emit, forks, marks
from .frames import dumps

interrupt.guard(__file__)

_LONGEST = 64_000_000  # the same as over HTTP (src/bridge/loopback-server.ts)
_HEAVIEST, _OF_CONTAINER = 15_999_000, 16  # as in src/support/json/costly-json.ts, and the rest of the frame has a few
_made = 0


def begin(name: str, arguments: dict, take):
    """Make a call, from any thread. `take` gets the reply, in another thread; the returned function cancels the call."""
    global _made
    if forks.is_child():
        raise RuntimeError("a forked process cannot call the host's tools: call them in the session itself")
    refusal = _why_not_sendable(name, arguments)
    if refusal is not None:
        take({"error": refusal})
        return lambda: None
    with marks.lock:
        _made += 1
        number = _made
    control.replies[number] = take
    on_main_thread = get_ident() == interrupt.main_thread
    frame = {"t": "host-call", "id": emit.cell_id, "call": number, "name": name, "args": arguments}
    try:
        emit.send({**frame, "main": on_main_thread})
    except BaseException:
        control.replies.pop(number, None)
        raise

    def cancel() -> None:
        if control.replies.pop(number, None) is not None:
            emit.send_at_once({"t": "host-cancel", "call": number})

    return cancel


def _why_not_sendable(name: str, arguments: dict) -> "dict | None":
    """The host reads a frame in one piece. `None` if the arguments fit."""
    try:
        text = dumps([name, arguments])
    except RecursionError:
        return {"code": "too-deep", "message": "The arguments are nested too deeply. Write a file, and send its path."}
    size = len(text)
    if size > _LONGEST:
        sizes = f"The arguments have {size // 1_000_000} MB; at most {_LONGEST // 1_000_000} MB can be sent."
    elif _is_too_costly(text):
        sizes = "The arguments have too many values to be sent."
    else:
        return None
    return {"code": "too-large", "message": sizes + " Write a file, and send its path."}


def _is_too_costly(text: str) -> bool:
    """Whether the host, which needs more memory for a value than for its text, would refuse it."""
    if _weight(text) <= _HEAVIEST:
        return False
    import re

    return _weight(re.sub(r'"(?:[^"\\]|\\.)*"', "", text)) > _HEAVIEST


def _weight(text: str) -> int:
    return text.count(",") + _OF_CONTAINER * (text.count("[") + text.count("{"))
