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
        describe = execute.with_library(_inspection)
        text = answered_in_time(describe, execute.namespace(), _name_at(code, cursor), 0)
        return {} if text is None else {"text/plain": text}
    return {"error": "unknown operation %r" % operation}


def _completion():
    from . import completion, import_completion, path_completion  # noqa: F401  all that it may need

    return completion.complete


def _inspection():
    from .inspection import describe

    return describe


def _name_at(code: str, cursor: int) -> str:
    """The dotted name under the cursor, or the function whose arguments are being typed."""
    start = end = min(cursor, len(code))
    if start and code[start - 1] == "(":
        start = end = start - 1
    while start and (code[start - 1].isidentifier() or code[start - 1].isdigit() or code[start - 1] == "."):
        start -= 1
    while end < len(code) and (code[end].isidentifier() or code[end].isdigit()):
        end += 1
    return code[start:end]
