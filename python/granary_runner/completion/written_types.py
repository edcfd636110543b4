"""Annotations in code that has not run: `int`, `list[str]`, `int | None`, `Optional[Thing]`, and any of them in quotes."""

from __future__ import annotations

import ast

from ..questions.expressions import Made
from .guesses import Class, Generic, Instance, Known

_WRAPPERS = ("Optional", "Union", "Annotated", "Final", "ClassVar")
_OLD_NAMES = {"List": list, "Dict": dict, "Set": set, "Tuple": tuple, "FrozenSet": frozenset, "Type": type}


def annotated(reading, node, names: dict) -> list:
    """Instances of the annotated types."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            node = ast.parse(node.value, mode="eval").body
        except SyntaxError:
            return []
    if node is None or isinstance(node, ast.Constant):
        return []
    if isinstance(node, ast.BinOp):
        return annotated(reading, node.left, names) + annotated(reading, node.right, names)
    if isinstance(node, ast.Subscript):
        return _parametrized(reading, node, names)
    return [one for guess in reading.evaluate(node, names) for one in _instance(guess)]


def _instance(guess) -> list:
    if isinstance(guess, Class):
        return [Instance(guess)]
    is_class = isinstance(guess, Known) and issubclass(type(guess.value), type) and guess.value is not object
    return [Made(guess.value)] if is_class else []


def _parametrized(reading, node: ast.Subscript, names: dict) -> list:
    inner = node.slice
    inner = getattr(inner, "value", inner) if type(inner).__name__ == "Index" else inner  # Python 3.8
    parts = list(inner.elts) if isinstance(inner, ast.Tuple) else [inner]
    name = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", "")
    if name in _WRAPPERS:
        wanted = parts[:1] if name == "Annotated" else parts
        return [one for part in wanted for one in annotated(reading, part, names)]
    found = annotated(reading, node.value, names)
    classes = [_OLD_NAMES[name]] if name in _OLD_NAMES else [guess.cls for guess in found if isinstance(guess, Made)]
    if not classes:
        return found
    return [Generic(cls, [annotated(reading, part, names) for part in parts]) for cls in classes]
