"""The text between braces in a command: `expression`, `expression!r`, `expression:>8`."""

from __future__ import annotations

import ast

_CONVERSIONS = {"r": repr, "s": str, "a": ascii}


def evaluate_field(field: str, namespace: dict) -> str | None:
    """Its value as text, or None if it is no expression and belongs to the shell."""
    expression, conversion, spec = _split(field)
    if expression is None:
        return None
    try:
        value = eval(compile(expression, "<interpolation>", "eval", dont_inherit=True), namespace)
        if conversion:
            value = _CONVERSIONS[conversion](value)
        return format(value, spec)
    except Exception:
        return None


def _split(field: str) -> tuple[ast.Expression | None, str, str]:
    """`expression!r:spec` in its parts. The first colon with an expression before it begins the format."""
    position = len(field)
    candidates = [position] + [index for index, character in enumerate(field) if character == ":"]
    for position in candidates:
        before, spec = field[:position], field[position + 1 :]
        plain, mark, conversion = before.rpartition("!")
        if not mark or conversion not in _CONVERSIONS:
            plain, conversion = before, ""
        expression = _parse(plain)
        if expression is not None:
            return expression, conversion, spec
    return None, "", ""


def _parse(text: str) -> ast.Expression | None:
    try:
        expression = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    # `{"key": …}` is JSON and `{a,b}` the shell's own expansion: constants and tuples are never meant as values.
    written_for_the_shell = isinstance(expression.body, (ast.Constant, ast.Tuple))
    return None if written_for_the_shell else expression
