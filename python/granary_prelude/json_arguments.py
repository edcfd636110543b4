"""Checks arguments for the host: only JSON that arrives unchanged."""

from __future__ import annotations

_DEEPEST = 100
_EXACT = 2**53  # larger whole numbers lose digits on the other side


def require_json(tool: str, arguments: dict) -> None:
    __tracebackhide__ = True
    for name, value in arguments.items():
        problem = _problem(value, name, 0)
        if problem is not None:
            raise TypeError(f"tool.{tool}(): {problem}")


def is_json(value: object) -> bool:
    return _problem(value, "", 0) is None


def _problem(value: object, where: str, depth: int) -> "str | None":
    """Why the value is no JSON; None if it is."""
    if value is None or isinstance(value, (str, bool)):
        return None
    if isinstance(value, int):
        return None if -_EXACT <= value <= _EXACT else f"{where} has more digits than JSON keeps; write str({where})"
    if isinstance(value, float):
        is_finite = value - value == 0
        return None if is_finite else f"{where} is {value!r}, which JSON does not have; write None, or a text"
    if depth == _DEEPEST:
        return f"{where} is nested too deeply for JSON, or contains itself"
    if isinstance(value, dict):
        return _first(_entry_problem(key, item, where, depth) for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return _first(_problem(item, f"{where}[{index}]", depth + 1) for index, item in enumerate(value))
    return f"{where} is {_kind(value)}, which is no JSON; {_advice(value, where)}"


def _entry_problem(key: object, item: object, where: str, depth: int) -> "str | None":
    if not isinstance(key, str):
        return f"{where} has the key {key!r}, which is no text; JSON has only keys of text"
    return _problem(item, f"{where}[{key!r}]", depth + 1)


def _first(problems) -> "str | None":
    return next((problem for problem in problems if problem is not None), None)


def _kind(value: object) -> str:
    kind = type(value)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def _advice(value: object, where: str) -> str:
    """The likely fix."""
    if isinstance(value, (bytes, bytearray, memoryview)):
        return f"decode it, or write base64.b64encode({where}).decode()"
    if isinstance(value, (set, frozenset)):
        return f"write sorted({where}) or list({where})"
    if hasattr(value, "__fspath__"):
        return f"write str({where})"
    if hasattr(value, "tolist"):  # numpy's, and a pandas column
        return f"write {where}.tolist()"
    return "JSON has texts, numbers, True, False, None, lists, and dicts of these"
