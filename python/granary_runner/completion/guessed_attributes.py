"""`x.` where `x` gets its value in code above the cursor that has not run."""

from __future__ import annotations

import ast
import builtins

from ..magics.syntax.quiet_parse import statements
from ..questions.expressions import Made, value_of
from ..values.type_facts import (
    class_attribute,
    names_in,
    names_in_class,
    names_of_attributes,
    static_attribute,
    texts,
)
from .guesses import Class, Function, Generic, Instance, known
from .imports import names_of_module
from .matches import Match, named
from .scanning import Scan
from .unrun_code import Reading
from .written_classes import names_of


def guessed_attributes(namespace: dict, expression: str, scan: Scan) -> "list[Match]":
    """The attributes of all possible values of the expression; empty if the code says nothing about it."""
    node = statements("(" + expression + "\n)")
    reading = _reading(namespace, scan)
    if not node or reading is None or not isinstance(node[0], ast.Expr):
        return []
    try:
        found = reading.evaluate(node[0].value, reading.names or {})
        return [match for guess in found for match in _matches(reading, guess)]
    except RecursionError:
        return []


def _reading(namespace: dict, scan: Scan) -> "Reading | None":
    """The tree of the code above, with `pass` in place of the unfinished statement."""
    behind = [at + 1 for at, token in enumerate(scan.tokens) if token.kind == "mark" and token.text == ";"]
    first = behind[-1] if behind else 0
    start = scan.tokens[first].start if first < len(scan.tokens) else len(scan.code)
    head = scan.code[:start]
    tree = _parsed(head + "pass")
    if tree is None:
        return None
    return Reading(lambda name: _in_session(namespace, name), tree, head.count("\n") + 1)


def _parsed(source: str) -> "ast.Module | None":
    for text in (source, source + "\nexcept Exception: pass", _without_magics(source)):
        body = statements(text) if text is not None else None
        if body is not None:
            return ast.Module(body, [])
    return None


def _without_magics(source: str) -> "str | None":
    if "%" not in source and "!" not in source:
        return None
    from ..cells.transform import rewrite

    return rewrite(source)


def _in_session(namespace: dict, name: str) -> list:
    if name not in namespace and name not in vars(builtins):
        return []
    return known(value_of(namespace, name))


def _matches(reading: Reading, guess) -> "list[Match]":
    if isinstance(guess, (Instance, Class)):
        names, classes = names_of(reading, guess)
        return [Match(name, kind) for name, kind in names.items()] + [one for cls in classes for one in _of_class(cls)]
    if isinstance(guess, Function):
        return _of_class(type(_matches))
    if isinstance(guess, (Made, Generic)):
        return _of_class(guess.cls)
    if names_in(guess.value) is not None:
        return names_of_module(guess.value)
    return [named(name, static_attribute(guess.value, name)) for name in texts(names_of_attributes(guess.value))]


def _of_class(cls: type) -> "list[Match]":
    return [named(name, class_attribute(cls, name)[1]) for name in texts(names_in_class(cls))]


