"""Completions at the cursor.

Completion calls nothing and loads no module. Code that must still run, such as a property in the middle
of a name or a `__dir__`, is an `attempt`.
"""

from __future__ import annotations

import builtins
import keyword
import re

from ..questions.attempts import attempt
from ..questions.expressions import MISSING, Made, value_of
from ..values.type_facts import (
    class_attribute,
    names_in,
    names_in_class,
    names_of_attributes,
    static_attribute,
    texts,
)
from .arguments import arguments_at
from .commands import complete_command, other_language
from .guessed_attributes import guessed_attributes
from .imports import complete_import, members, names_of_module
from .keys import TypedKey, escaped, keys_at
from .matches import Match, answer, in_order, named, public_unless_asked
from .paths import paths
from .scanning import Scan, near_cursor
from .written_names import WrittenNames

_FIRST_NAME = re.compile(r"[^\W\d]\w*")
_Found = "tuple[int, list[Match]]"  # how many characters before the cursor a match replaces, and the matches


def complete(namespace: dict, code: str, cursor: int) -> dict:
    """`matches` can replace the code from `start` to `end`; all count Unicode code points."""
    cursor = max(0, min(cursor, len(code)))
    typed, matches = _found(namespace, code[:cursor], code[cursor:])
    return answer(in_order(matches), cursor - typed, cursor)


def _found(namespace: dict, before: str, behind: str) -> _Found:
    foreign = other_language(before)
    if foreign is not None:
        return foreign
    before, _ = near_cursor(before, len(before))
    scan = Scan(before)
    if scan.command is not None:
        return complete_command(namespace, before, scan.command, behind, complete_python)
    return complete_python(namespace, scan, behind)


def complete_python(namespace: dict, scan: Scan, behind: str) -> _Found:
    if scan.in_comment:
        return 0, []
    if scan.string is not None:
        return _in_string(namespace, scan)
    tokens = scan.tokens
    is_behind_name = bool(tokens) and tokens[-1].kind == "name" and tokens[-1].end == len(scan.code)
    prefix = tokens[-1].text if is_behind_name else ""
    imported = complete_import(scan.statement() or prefix)
    if imported is not None:
        return len(imported[0]), public_unless_asked(imported[1], imported[0])
    before = len(tokens) - is_behind_name
    if before and tokens[before - 1].kind == "mark" and tokens[before - 1].text == ".":
        owner = scan.primary_before(before - 1)
        found = [] if owner is None else attributes(namespace, owner, scan)
        return len(prefix), public_unless_asked(found, prefix)
    typed, keys = _plain_keys(namespace, scan)
    if keys:
        return typed, keys
    start = len(scan.code) - len(prefix)
    if before and tokens[before - 1].kind in ("number", "string") and tokens[before - 1].end == start:
        return 0, []
    arguments = arguments_at(namespace, scan, prefix, behind)
    return len(prefix), arguments + (public_unless_asked(_names(namespace, scan), prefix) if prefix else [])


def attributes(namespace: dict, expression: str, scan: Scan) -> "list[Match]":
    if _is_written_above(expression, scan):
        guessed = guessed_attributes(namespace, expression, scan)
        if guessed:
            return guessed
    value = value_of(namespace, expression)
    if value is MISSING:
        return _in_unloaded_module(namespace, expression) or _in_module_to_import(namespace, expression, scan)
    if type(value) is Made:
        return [named(name, class_attribute(value.cls, name)[1]) for name in texts(names_in_class(value.cls))]
    if names_in(value) is not None:
        return names_of_module(value)
    told = attempt(_told, value)
    names = texts(names_of_attributes(value)) if told is None else told
    return [named(name, static_attribute(value, name)) for name in names]


def _is_written_above(expression: str, scan: Scan) -> bool:
    """Whether code above the cursor, which has not run, mentions the first name of the expression."""
    first = _FIRST_NAME.search(expression)
    return first is not None and (first[0] in _written_names(scan).names or expression.startswith("("))


def _told(value: object) -> "list[str]":
    return texts(type(value).__dir__(value))  # dir() would sort them


def _in_unloaded_module(namespace: dict, expression: str) -> "list[Match]":
    """`scipy.optimize` loads on first use. Its names are read from its source instead."""
    owner, dot, last = expression.rpartition(".")
    names = names_in(value_of(namespace, owner)) if dot and last.isidentifier() else None
    if names is None or type(names.get("__name__")) is not str:
        return []
    return members(names["__name__"] + "." + last)


def _in_module_to_import(namespace: dict, expression: str, scan: Scan) -> "list[Match]":
    """Of a module that the code above imports, but has not run."""
    first, dot, rest = expression.partition(".")
    module = None if first in namespace else _written_names(scan).modules.get(first)
    is_dotted_name = not rest or all(part.isidentifier() for part in rest.split("."))
    return members(module + dot + rest) if module is not None and is_dotted_name else []


def _names(namespace: dict, scan: Scan) -> "list[Match]":
    held = {**vars(builtins), **namespace}
    found = [named(name, held[name]) for name in texts(list(held), len(held))]
    written = (Match(name, "") for name in _written_names(scan).names if name not in held)
    return [*found, *written, *(Match(word, "keyword") for word in keyword.kwlist)]


def _written_names(scan: Scan) -> WrittenNames:
    written = WrittenNames()
    for line in (*scan.lines, scan.tokens[:-1]):
        written.add(line)
    return written


def _in_string(namespace: dict, scan: Scan) -> _Found:
    string = scan.string
    if string.is_format:  # type: ignore[union-attr]
        return 0, []
    typed = scan.code[string.start :]  # type: ignore[union-attr]
    keys = _keys(namespace, scan, string.start - len(string.prefix) - len(string.quote), typed)  # type: ignore[union-attr]
    if keys:
        return len(typed), keys
    prefix, names = paths(typed)
    written = [escaped(name, string) for name in names]  # type: ignore[arg-type]
    return len(prefix), [Match(text, "path") for text in written if text is not None]


def _plain_keys(namespace: dict, scan: Scan) -> _Found:
    """`d[`, `d[1` and `d["a", `: keys without a typed quote."""
    last = scan.tokens[-1] if scan.tokens else None
    is_typed = last is not None and last.end == len(scan.code) and last.kind in ("number", "name")
    start = last.start if is_typed else len(scan.code)  # type: ignore[union-attr]
    typed = scan.code[start:]
    return len(typed), _keys(namespace, scan, start, typed)


def _keys(namespace: dict, scan: Scan, start: int, typed: str) -> "list[Match]":
    """Of the brackets around the key that begins at `start`; also of `df[["a", "b`, a list of keys."""
    opened = [at for at in scan.open[-2:] if scan.tokens[at].text == "["]
    if not opened or opened[-1] != scan.open[-1]:
        return []
    owner = scan.primary_before(opened[-1])
    end = start
    if owner is None and len(opened) == 2:
        owner = scan.primary_before(opened[0])
        end = scan.tokens[opened[1]].start
    inside = scan.code[scan.tokens[opened[-1] if end == start else opened[0]].end : end].strip()
    is_at_part = not inside or inside.endswith(",")
    if owner is None or not is_at_part:
        return []
    return keys_at(value_of(namespace, owner), TypedKey(inside, scan.string, typed))
