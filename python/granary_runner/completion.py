"""What could stand at the cursor.

Only dotted names are evaluated, never a call or an index. What has to be run all the same, such as a property in the
middle of a name or a `__dir__`, is an `attempt`.
"""

from __future__ import annotations

import builtins
import keyword
import re

from .attempts import attempt
from .inspection import look_up
from .type_facts import built_in_base, module_of, names_in, names_of_attributes, texts

_NAME_START = r"(?<![\w.\)\]\}'\"])"
_MAGIC = re.compile(r"(?:^|=)\s*(%%?\w*)$")
_IMPORT = re.compile(r"\s*(?:import|from)\s")
_ATTRIBUTE = re.compile(_NAME_START + r"((?:[^\W\d]\w*\.)*[^\W\d]\w*)\.(\w*)$")
_KEY = re.compile(_NAME_START + r"((?:[^\W\d]\w*\.)*[^\W\d]\w*)\[\s*([\"'])([^\"'\\]*)$")
_NAME = re.compile(r"(?<![.\w])(?:[^\W\d]\w*)?$")
_MOST_KEYS = 1000
_MOST_MATCHES = 10_000
_MISSING = object()


def complete(namespace: dict, code: str, cursor: int) -> dict:
    """`matches` can replace the code from `start` to `end`; all count Unicode code points."""
    cursor = max(0, min(cursor, len(code)))
    line = code[:cursor].rpartition("\n")[2]
    prefix, matches = _prefix_and_matches(namespace, line, is_first_line="\n" not in code[:cursor].lstrip())
    return {"matches": _ordered(matches, prefix), "start": cursor - len(prefix), "end": cursor}


def _prefix_and_matches(namespace: dict, line: str, is_first_line: bool) -> tuple[str, list[str]]:
    match = _MAGIC.search(line)
    if match is not None:
        return match[1], _magics(match[1], is_first_line)
    match = _KEY.search(line)
    if match is not None:
        return match[3], _keys(look_up(namespace, match[1], None), match[2])
    opened = _open_string(line)
    if opened is not None:
        from .path_completion import paths

        return paths(opened)
    if _IMPORT.match(line):
        from .import_completion import complete_import

        found = complete_import(line)
        if found is not None:
            return found
    match = _ATTRIBUTE.search(line)
    if match is not None:
        return match[2], _public_unless_asked(_attributes(namespace, match[1]), match[2])
    match = _NAME.search(line)
    if match is not None:
        return match[0], _public_unless_asked(_names(namespace), match[0]) if match[0] else []
    return "", []


def _ordered(matches: list[str], prefix: str) -> list[str]:
    fitting = {name for name in matches if name.startswith(prefix)}
    return sorted(fitting, key=lambda name: (name.startswith("_"), name))[:_MOST_MATCHES]


def _public_unless_asked(names: list[str], prefix: str) -> list[str]:
    return names if prefix.startswith("_") else [name for name in names if not name.startswith("_")]


def _magics(prefix: str, is_first_line: bool) -> list[str]:
    from .magics.table import CELL_MAGICS, LINE_MAGICS

    cell = ["%%" + name for name in CELL_MAGICS] if is_first_line else []
    return cell if prefix.startswith("%%") else cell + ["%" + name for name in LINE_MAGICS]


def _names(namespace: dict) -> list[str]:
    names = [*namespace, *vars(builtins)]
    return [*texts(names, len(names)), *keyword.kwlist]


def _attributes(namespace: dict, dotted: str) -> list[str]:
    value = _evaluated(namespace, dotted)
    if value is _MISSING:
        return _in_unloaded_module(namespace, dotted)
    if names_in(value) is not None:
        from .import_completion import names_of_module

        return names_of_module(value)
    told = attempt(_told, value)
    return texts(names_of_attributes(value)) if told is None else told


def _evaluated(namespace: dict, dotted: str) -> object:
    """The value before the last dot. A property in there has to be read, as the user's code would read it."""
    value = look_up(namespace, dotted, _MISSING)
    if type(value) is not property:
        return value
    owner, _, last = dotted.rpartition(".")
    return attempt(getattr, look_up(namespace, owner, None), last, otherwise=_MISSING)


def _told(value: object) -> list[str]:
    return texts(type(value).__dir__(value))  # dir() would want to sort them


def _in_unloaded_module(namespace: dict, dotted: str) -> list[str]:
    """`scipy.optimize` is loaded when somebody reads it. What its source defines can be told without."""
    owner, _, last = dotted.rpartition(".")
    names = names_in(look_up(namespace, owner, None)) or {}
    if type(names.get("__name__")) is not str:
        return []
    from .import_completion import members

    return members(names["__name__"] + "." + last)


def _keys(value: object, quote: str) -> list[str]:
    """Keys of a dictionary, columns of a pandas table; only what can be written as it is."""
    if built_in_base(type(value)) is dict:
        keys = texts(dict.keys(value), _MOST_KEYS)  # type: ignore[arg-type]
    else:
        keys = attempt(_columns, value) or []
    return [key for key in keys if key.isprintable() and quote not in key and "\\" not in key]


def _columns(value: object) -> list[str]:
    is_table = any(module_of(base).partition(".")[0] == "pandas" for base in type(value).__mro__)
    return texts(value.columns, _MOST_KEYS) if is_table else []  # type: ignore[attr-defined]


def _open_string(line: str) -> str | None:
    """What has been typed of a string that is not closed on this line."""
    quote = ""
    start = 0
    for position, character in enumerate(line):
        if quote:
            if character == quote and line[position - 1] != "\\":
                quote = ""
        elif character == "#":
            return None
        elif character in "'\"":
            quote, start = character, position + 1
    return line[start:] if quote else None
