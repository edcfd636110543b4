"""What could stand at the cursor.

Only dotted names are evaluated, never a call or an index: completion must not run the user's code.
"""

from __future__ import annotations

import builtins
import keyword
import re

from .inspection import look_up

_NAME_START = r"(?<![\w.\)\]\}'\"])"
_MAGIC = re.compile(r"(?:^|=)\s*(%%?\w*)$")
_IMPORT = re.compile(r"\s*(?:import|from)\s")
_ATTRIBUTE = re.compile(_NAME_START + r"((?:[^\W\d]\w*\.)*[^\W\d]\w*)\.(\w*)$")
_KEY = re.compile(_NAME_START + r"((?:[^\W\d]\w*\.)*[^\W\d]\w*)\[\s*([\"'])([^\"'\\]*)$")
_NAME = re.compile(r"(?<![.\w])(?:[^\W\d]\w*)?$")
_MOST_KEYS = 1000


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
        return match[2], _public_unless_asked(_attributes(_evaluated(namespace, match[1])), match[2])
    match = _NAME.search(line)
    if match is not None:
        return match[0], _public_unless_asked(_names(namespace), match[0]) if match[0] else []
    return "", []


def _ordered(matches: list[str], prefix: str) -> list[str]:
    fitting = {name for name in matches if name.startswith(prefix)}
    return sorted(fitting, key=lambda name: (name.startswith("_"), name))


def _public_unless_asked(names: list[str], prefix: str) -> list[str]:
    return names if prefix.startswith("_") else [name for name in names if not name.startswith("_")]


def _magics(prefix: str, is_first_line: bool) -> list[str]:
    from .magics.table import CELL_MAGICS, LINE_MAGICS

    cell = ["%%" + name for name in CELL_MAGICS] if is_first_line else []
    return cell if prefix.startswith("%%") else cell + ["%" + name for name in LINE_MAGICS]


def _names(namespace: dict) -> list[str]:
    return [*(name for name in list(namespace) if isinstance(name, str)), *vars(builtins), *keyword.kwlist]


def _evaluated(namespace: dict, dotted: str) -> object:
    """The value before the last dot. A property in there has to be read, as the user's code would read it."""
    owner, _, last = dotted.rpartition(".")
    value = look_up(namespace, dotted, None)
    if not isinstance(value, property):
        return value
    try:
        return getattr(look_up(namespace, owner, None), last)
    except Exception:
        return None


def _attributes(value: object) -> list[str]:
    if value is None:
        return []
    try:
        names = list(type(value).__dir__(value))  # dir() would want to sort them
    except Exception:  # broken __dir__
        names = [name for kind in type(value).__mro__ for name in vars(kind)]
    return [name for name in names if isinstance(name, str)]


def _keys(value: object, quote: str) -> list[str]:
    """Keys of a dictionary, columns of a pandas table; only what can be written as it is."""
    try:
        if isinstance(value, dict):
            keys = dict.keys(value)
        elif type(value).__module__.startswith("pandas."):
            keys = getattr(value, "columns", ())
        else:
            keys = ()
        strings = [key for key, _ in zip(keys, range(_MOST_KEYS)) if isinstance(key, str)]
    except Exception:
        return []
    return [key for key in strings if key.isprintable() and quote not in key and "\\" not in key]


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
