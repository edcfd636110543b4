"""Messages of comms to the host: the frame `comm` of protocol/README.md."""

from __future__ import annotations

import sys

from ..cells import interrupt
from ..wire import emit

interrupt.guard(__file__)

_LARGEST = 48_000_000  # in bytes; a client that is 64 MB behind loses its connection


def publish(kind: str, content: dict, metadata=None, buffers=None) -> None:
    """Send `comm_open`, `comm_msg` or `comm_close` with Jupyter's content for it, in order with the output.

    Raises in the user's code what cannot be sent: the caller knows which of its values is too large, or too deep.
    """
    data, text = _as_json(content.get("data") or {})
    about, about_text = _as_json(metadata or {})
    parts = [_bytes(buffer) for buffer in buffers or ()]
    size = len(text) + len(about_text) + sum(map(len, parts))
    if size > _LARGEST:
        raise ValueError("this message of a comm has %s bytes; at most %s are possible" % (format(size, ","), format(_LARGEST, ",")))
    if len(about_text) > emit.INLINE:
        raise ValueError("the metadata of this message of a comm has %s characters; put them into its data" % format(len(about_text), ","))
    frame = {"t": "comm", "id": emit.cell_id, "type": kind, "content": {**content, "data": data}, "metadata": about}
    if size * 4 // 3 <= emit.INLINE:
        if parts:
            frame["buffers"] = [_base64(part) for part in parts]
    else:
        _use_files(frame, text, parts)
    emit.send(frame)
    interrupt.raise_pending_in(sys._getframe(1))


def _use_files(frame: dict, text: str, parts: list) -> None:
    """The host reads a frame in one piece, so what is large goes beside it. All buffers share one file."""
    from ..wire.large_values import hand_over

    files = {}
    if len(text) > emit.INLINE // 2:
        del frame["content"]["data"]
        files["data"] = hand_over(text, True)
    if parts:
        frame["lengths"] = [len(part) for part in parts]
        files["buffers"] = hand_over(b"".join(parts), False)
    for reference in files.values():
        if "problem" in reference:
            raise OSError(reference["problem"])
    frame["files"] = files


def _as_json(value: dict) -> "tuple[dict, str]":
    """A value that JSON can carry, and its JSON."""
    import json

    try:
        return value, json.dumps(value, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError):
        from ..formats.json_safe import json_safe

        value = json_safe(value)
        return value, json.dumps(value, separators=(",", ":"))


def _bytes(buffer) -> bytes:
    return buffer if type(buffer) is bytes else memoryview(buffer).tobytes("A")


def _base64(part: bytes) -> str:
    from binascii import b2a_base64

    return b2a_base64(part, newline=False).decode("ascii")
