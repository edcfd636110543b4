"""Completion and inspection: what an editor asks between cells."""

from __future__ import annotations

from . import execute, interrupt
from .attempts import answered_in_time

interrupt.guard(__file__)


def answer(request: dict) -> object:
    operation, code, cursor = request["op"], request["code"], request["cursor"]
    if operation == "complete":
        complete = execute.with_library(_completion)
        return answered_in_time(complete, execute.namespace(), code, cursor)
    if operation == "inspect":
        describe_at = execute.with_library(_inspection)
        text = answered_in_time(describe_at, execute.namespace(), code, cursor)
        return {} if text is None else {"text/plain": text}
    return {"error": "unknown operation %r" % operation}


def _completion():
    from .completion import complete

    return complete


def _inspection():
    from .inspection import describe_at

    return describe_at
