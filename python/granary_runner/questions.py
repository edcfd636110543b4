"""Completion and inspection: what an editor asks between cells."""

from __future__ import annotations

from . import execute, interrupt
from .attempts import answered_in_time

interrupt.guard(__file__)

_MOST_CHARACTERS = 500_000
_LONGEST_MATCH = 1_000


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


def bounded(value: dict) -> dict:
    """An answer that the host can hold in memory, whatever names and documentation the user's objects have."""
    if "matches" in value:
        room = _MOST_CHARACTERS
        fitting = []
        for match in value["matches"]:
            if len(match) > _LONGEST_MATCH:
                continue  # nobody can want to type it
            room -= len(match) + 4
            if room < 0:
                break
            fitting.append(match)
        return {**value, "matches": fitting}
    return {mime: text[:_MOST_CHARACTERS] + "…" if len(text) > _MOST_CHARACTERS else text for mime, text in value.items()}


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
