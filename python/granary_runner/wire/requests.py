"""Requests of the host, checked at the door: a damaged one is refused whole, before any part of it has an effect.

There is no answer to a request without a number, and a host that writes damaged ones is lost. So the process that reads one says
what it got on fd 2 and ends.
"""

from __future__ import annotations

import os

from .frames import loads

_EXIT_CODE = 70  # EX_SOFTWARE
_MOST = 2**53  # the host counts in doubles
_SHOWN = 200

_ENCODABLE = (str,)  # for the operating system
_CHECKPOINT = {"checkpoint": int, "path": _ENCODABLE, "word": _ENCODABLE}
_BOOTSTRAP = {"cwd": str, "env": dict, "helpers": bool, "host": (str, list, type(None))}
_NEEDED = {
    "streams": {"use": str},
    "execute": {"id": int, "code": str},
    "complete": {"id": int, "code": str, "cursor": int},
    "inspect": {"id": int, "code": str, "cursor": int},
    "is-complete": {"id": int, "code": str},
    "checkpoint": {"checkpoint": dict},
    "shutdown": {},
    "preload": {"modules": list, "seconds": (int, float), "megabytes": (int, float)},
    "fork": {"fork": int, "path": _ENCODABLE, "word": _ENCODABLE},
    "reap": {},
    "retire": {},
    "become-kernel": {},
    # On *control*:
    "flush": {},
    "ping": {"id": int},
    "owner": {"id": int},
    "stack": {"id": int},
    "variables": {"id": int, "most": int, "longest": int},
    "taken": {"file": int},
    "answer": {"ask": int, "text": (str, type(None))},
    "host-reply": {"call": int, "reply": dict},
}
_OTHERS = {"id": int}  # of an operation that a newer host knows: its answer is empty
_OPTIONAL = {
    **{name: bool for name in ("internal", "history", "silent", "stdin", "imports", "prelude", "settled", "journal", "alone")},
    **{"cwd": str, "env": dict, "terminal": dict, "forms": str, "checkpoint": dict, "expressions": dict, "detail": int, "bootstrap": dict},
    "mark": (str, type(None)),
}


def decoded(line: bytes, *expected: str, needs: "tuple[str, ...]" = ()) -> dict:
    """The request in a line: one of the expected operations, if any are named, with the fields that it needs here. Raises ValueError."""
    try:
        request = loads(line.decode())
    except (ValueError, RecursionError) as problem:
        raise ValueError("it is no JSON: %s" % problem) from None
    if type(request) is not dict or type(request.get("op")) is not str:
        raise ValueError("it is no object with an `op`")
    operation = request["op"]
    if expected and operation not in expected:
        raise ValueError("%r is not what is expected here" % operation[:_SHOWN])
    needed = _NEEDED.get(operation, _OTHERS)
    for name in (*needed, *needs):
        if name not in request:
            raise ValueError("it has no `%s`" % name)
    for name, value in request.items():
        wanted = needed.get(name) or _OPTIONAL.get(name)
        if wanted is not str or type(value) is not str:  # as nearly all are
            _check(name, value, wanted)
    return request


def _check(name: str, value: object, wanted: object) -> None:
    if wanted is None:  # a field that a newer host knows
        return
    if type(value) is not wanted and not (type(wanted) is tuple and type(value) in wanted):
        raise ValueError("`%s` is of the wrong type" % name)
    if type(value) is int and not (0 <= value < _MOST):
        raise ValueError("`%s` is out of range" % name)
    if type(value) is dict:
        _check_members(name, value)
    elif wanted is _ENCODABLE and b"\0" in os.fsencode(value):
        raise ValueError("`%s` has a zero byte" % name)
    elif type(value) is list and any(type(item) is not str for item in value):
        raise ValueError("`%s` has a member of the wrong type" % name)


def _check_members(name: str, value: dict) -> None:
    if name == "checkpoint":
        for member, wanted in _CHECKPOINT.items():
            _check(member, value.get(member), wanted)
    elif name == "bootstrap":
        for member, wanted in _BOOTSTRAP.items():
            _check(member, value.get(member), wanted)
    elif name == "terminal":
        for member, item in value.items():
            _check(member, item, int)
    elif name == "env":
        for item in value.values():
            if type(item) is not str and item is not None:
                raise ValueError("`%s` has a member of the wrong type" % name)


def refuse(line: bytes, problem: ValueError) -> None:
    """Say what is wrong with a line, and end. At once: exit handlers and threads of the user's could keep the process alive."""
    from . import replay_folder

    replay_folder.remove()
    shown = line[:_SHOWN].decode("ascii", "replace") + ("…" if len(line) > _SHOWN else "")
    sentence = "Granary's host sent a damaged request, so Python ends: %s. It begins with: %r\n" % (problem, shown)
    try:
        os.write(2, sentence.encode("utf-8", "backslashreplace"))
    except OSError:
        pass
    os._exit(_EXIT_CODE)


def next_of(lines, *expected: str, needs: "tuple[str, ...]" = ()) -> "dict | None":
    """The next request; None at the end of file. A damaged one ends the process."""
    line = b""
    try:
        line = lines.next()
        return None if line is None else decoded(line, *expected, needs=needs)
    except ValueError as problem:
        refuse(line or b"", problem)
        return None
