"""`table['column']`, `items[0].name`, `table[key]`: values behind a subscript, for `?`."""

from __future__ import annotations

import re

from .attempts import attempt

_NAME = r"[^\W\d]\w*"
_KEY = rf"""-?\d+|'[^'\\\n]*'|"[^"\\\n]*"|{_NAME}"""
_STEP = rf"\.{_NAME}|\[(?:{_KEY})\]"
SUBJECT = rf"{_NAME}(?:{_STEP})*"
_WHOLE = re.compile(rf"({_NAME}(?:\.{_NAME})*)((?:{_STEP})*)$")


def value_at(namespace: dict, expression: str, default: object) -> object:
    """The value of a name with subscripts and attributes; creates no key."""
    from .inspection import look_up

    match = _WHOLE.match(expression)
    if match is None:
        return default
    value = look_up(namespace, match[1], default)
    for step in re.findall(_STEP, match[2]):
        if value is default:
            break
        if step.startswith("."):
            value = attempt(getattr, value, step[1:], otherwise=default)
        else:
            value = attempt(_item, value, _key(namespace, step[1:-1]), default, otherwise=default)
    return value


def _key(namespace: dict, text: str) -> object:
    if text[0] in "'\"":
        return text[1:-1]
    return namespace.get(text) if text.isidentifier() else int(text)


def _item(value, key: object, default: object) -> object:
    if isinstance(value, dict) and key not in value:  # a defaultdict would create it
        return default
    return value[key]
