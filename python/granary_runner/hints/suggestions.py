"""`Did you mean: 'append'?` on Python 3.10 and 3.11, which write it in C only, and not with `traceback`."""

from __future__ import annotations

_MOST_NAMES = 750
_LONGEST_NAME = 40
_MOVE_COST = 2
_CASE_COST = 1


def add_to(story, problem: BaseException) -> None:
    """Complete the messages of an exception and of those that led to it, as Python would at its prompt."""
    waiting, seen = [(story, problem)], set()
    while waiting:
        told, raised = waiting.pop()
        if told is None or raised is None or id(raised) in seen:
            continue
        seen.add(id(raised))
        name = _suggested(raised)
        if name is not None:
            told._str = f"{told._str}. Did you mean: '{name}'?"
        waiting += [(told.__cause__, raised.__cause__), (told.__context__, raised.__context__)]


def _suggested(problem: BaseException) -> "str | None":
    if not isinstance(problem, (NameError, AttributeError)) or not isinstance(problem.name, str):
        return None
    try:
        return closest(problem.name, _names_near(problem))
    except Exception:  # the object's own `__dir__`
        return None


def _names_near(problem) -> list:
    if isinstance(problem, AttributeError):
        return dir(problem.obj)
    entry = problem.__traceback__
    if entry is None:
        return []
    while entry.tb_next is not None:
        entry = entry.tb_next
    frame = entry.tb_frame
    return [*frame.f_locals, *frame.f_globals, *frame.f_builtins]


def closest(wrong: str, names: list) -> "str | None":
    """The name that needs the fewest changes, by the rules of CPython's `suggestions.c`."""
    if len(names) > _MOST_NAMES or len(wrong) > _LONGEST_NAME:
        return None
    best, best_cost = None, None
    for name in names:
        if not isinstance(name, str) or name == wrong or len(name) > _LONGEST_NAME:
            continue
        most = (len(name) + len(wrong) + 3) * _MOVE_COST // 6
        if best_cost is not None:
            most = min(most, best_cost - 1)
        cost = _cost(wrong, name)
        if cost <= most:
            best, best_cost = name, cost
    return best


def differs_in_one(one: str, other: str) -> bool:
    """Whether a letter is wrong, missing or too many."""
    return abs(len(one) - len(other)) <= 1 and 0 < _cost(one, other) <= _MOVE_COST


def _cost(one: str, other: str) -> int:
    """The Levenshtein distance, where a change of case costs half."""
    row = [_MOVE_COST * index for index in range(len(other) + 1)]
    for index, letter in enumerate(one, 1):
        before, row[0] = row[0], index * _MOVE_COST
        for at, wanted in enumerate(other, 1):
            change = 0 if letter == wanted else _CASE_COST if letter.lower() == wanted.lower() else _MOVE_COST
            before, row[at] = row[at], min(before + change, row[at] + _MOVE_COST, row[at - 1] + _MOVE_COST)
    return row[-1]
