"""Answers the questions of an editor between cells: completion, inspection, whether code is complete."""

from __future__ import annotations

from ..cells import execute, interrupt
from .attempts import answered_in_time

interrupt.guard(__file__)

_MOST_CHARACTERS = 500_000
_LONGEST_MATCH = 1_000


def answer(request: dict) -> object:
    operation, code = request["op"], request["code"]
    if operation == "is-complete":
        return execute.with_library(_completeness, code)
    cursor = request["cursor"]
    if operation == "complete":
        complete = execute.with_library(_completion)
        return answered_in_time(complete, execute.namespace(), code, cursor)
    if operation == "inspect":
        describe_at = execute.with_library(_inspection)
        text = answered_in_time(describe_at, execute.namespace(), code, cursor, request.get("detail", 0))
        return {} if text is None else {"text/plain": text}
    return {"error": "unknown operation %r" % operation}


def _completeness(code: str) -> dict:
    from ..ipython_shell.completeness import completeness

    return completeness(code)


def _completion():
    from ..completion import complete

    return complete


def _inspection():
    from .inspection import describe_at

    return describe_at


def bounded(value: dict) -> dict:
    """An answer that fits into the host's memory, however long the names and documentation are."""
    if "matches" in value:
        kept = _fitting(value["matches"])
        lists = {name: value[name] for name in ("matches", "details") if name in value}
        return {**value, **{name: [items[at] for at in kept] for name, items in lists.items()}}
    return {mime: text[:_MOST_CHARACTERS] + "…" if len(text) > _MOST_CHARACTERS else text for mime, text in value.items()}


def _fitting(matches: list) -> list:
    """The positions of the matches that are short enough, as many as fit."""
    room = _MOST_CHARACTERS
    kept = []
    for at, match in enumerate(matches):
        if len(match) > _LONGEST_MATCH:
            continue  # too long to type
        room -= len(match) + 4
        if room < 0:
            break
        kept.append(at)
    return kept
