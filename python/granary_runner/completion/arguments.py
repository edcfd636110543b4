"""Names of arguments inside a call: `f(1, b` completes to `b=`."""

from __future__ import annotations

import inspect
import re

from ..questions.attempts import attempt
from ..questions.expressions import MISSING, Made, value_of
from ..values.type_facts import class_attribute, plain
from .matches import Match
from .scanning import Scan

_BY_PLACE = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
_WRITTEN_CALL = re.compile(r"[\w\s.]+\(([^)]*)\)")
_WRITTEN_ARGUMENT = re.compile(r"[\s\[(]*([^\W\d]\w*)\s*=")
_FOLLOWED_BY_EQUALS = re.compile(r"\s*=(?!=)")


def arguments_at(namespace: dict, scan: Scan, prefix: str, behind: str) -> "list[Match]":
    """Remaining arguments of the innermost call around the cursor. None if a value or an expression has begun."""
    opening = scan.open[-1] if scan.open else None
    if opening is None or scan.tokens[opening].text != "(":
        return []
    given = _given(scan, opening, has_prefix=bool(prefix))
    callee = scan.primary_before(opening)
    if given is None or callee is None or _is_definition(scan, opening):
        return []
    equals = "" if _FOLLOWED_BY_EQUALS.match(behind) else "="
    names = argument_names(value_of(namespace, callee), given.count(""))
    return [Match(name + equals, "param") for name in names if name not in given and name.startswith(prefix)]


def _is_definition(scan: Scan, opening: int) -> bool:
    return opening >= 2 and scan.tokens[opening - 2].text in ("def", "class")


def _given(scan: Scan, opening: int, has_prefix: bool) -> "list[str] | None":
    """The arguments before the cursor: the name of each, empty for a positional one; None inside an argument."""
    given = []
    depth = 0
    first: list = []
    tokens = scan.tokens[opening + 1 : len(scan.tokens) - has_prefix]
    for token in tokens:
        if token.kind == "mark" and depth == 0 and token.text == ",":
            given.append(_name_of_argument(first))
            first = []
            continue
        if token.kind == "mark":
            depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
        first.append(token.text)
    return None if first else given


def _name_of_argument(tokens: "list[str]") -> str:
    if len(tokens) > 1 and tokens[1] == "=":
        return tokens[0]
    return "*" if tokens and tokens[0] == "*" else ""


def argument_names(function: object, places_taken: int = 0) -> "list[str]":
    """Parameters that can be given by name; positional arguments take the first ones."""
    if function is MISSING or type(function) is Made:
        return []
    names = attempt(_in_signature, function, places_taken)
    return attempt(_documented, function) or [] if names is None else names


def _in_signature(function, places_taken: int) -> "list[str]":
    names = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in _BY_PLACE and places_taken:
            places_taken -= 1
        elif parameter.kind in _BY_NAME:
            names.append(plain(parameter.name))
    return names


def _documented(function) -> "list[str]":
    """Functions written in C may name their arguments only in the first line of their documentation."""
    if class_attribute(type(function), "__call__")[0] is None or not issubclass(type(function.__doc__), str):
        return []
    call = _WRITTEN_CALL.match(plain(function.__doc__).lstrip().partition("\n")[0])
    pieces = call[1].split(",") if call is not None else []
    return [match[1] for match in map(_WRITTEN_ARGUMENT.match, pieces) if match is not None]
