"""Keys inside brackets: `d["na`, `d["a"]["na`, `df.loc[:, "na`, `records["na`, `d[1`."""

from __future__ import annotations

import ast
from itertools import islice

from ..magics.syntax.quiet_parse import statements
from ..questions.attempts import attempt
from ..questions.expressions import MISSING, Made
from ..values.type_facts import bases_of, built_in_base, class_attribute, is_from, is_one_of, name_of, plain
from .matches import Match
from .scanning import OpenString

_MOST = 1000
_MOST_LOOKED_AT = 100_000
_LITERALS = (str, bytes, int, float, bool, type(None))


class TypedKey:
    """The text between the opening bracket and the cursor."""

    __slots__ = ("before", "string", "typed")

    def __init__(self, before: str, string: "OpenString | None", typed: str) -> None:
        self.before = before  # the parts of a tuple that are finished, each with its comma
        self.string = string  # the open string around the key
        self.typed = typed  # of the key itself, without quotes


def keys_at(value: object, key: TypedKey) -> "list[Match]":
    """Keys that begin with the typed text, in a form that can replace it."""
    parts = _parts(key.before)
    if parts is None or value is MISSING or type(value) is Made:
        return []
    string = key.string
    typed = key.typed if string is None else _decoded(string, key.typed)
    if typed is None:
        return []
    found = []
    for candidate in _candidates(value, parts):
        written = _written(candidate) if string is None else _continued(candidate, string, typed)
        if written is not None and (string is not None or written.startswith(key.typed)):
            found.append(Match(written, "dict key"))
            if len(found) == _MOST:
                break
    return found


def _candidates(value: object, parts: list) -> list:
    """Candidates at this place: the keys, or the next part of tuple keys with the same beginning."""
    if _is_kind_of("pandas", ("_LocIndexer", "_AtIndexer"), value):
        return attempt(_labels, value, len(parts), otherwise=[])
    keys = _keys(value)
    if not parts:
        return keys + [key[0] for key in keys if type(key) is tuple and key]
    following = []
    for key in keys:
        if type(key) is tuple and len(key) > len(parts) and _are_same(key, parts):
            following.append(key[len(parts)])
    return following


def _are_same(key: tuple, parts: list) -> bool:
    return all(type(one) is type(other) and one == other and is_one_of(_LITERALS, type(one)) for one, other in zip(key, parts))


def _keys(value: object) -> list:
    if built_in_base(type(value)) is dict:
        return attempt(_first, dict.keys(value), otherwise=[])  # type: ignore[arg-type]
    told = class_attribute(type(value), "_ipython_key_completions_")[1]
    if told is None and issubclass(type(value), type):  # `Thing["name"]`, where the class itself has keys
        told = class_attribute(value, "_ipython_key_completions_")[1]  # type: ignore[arg-type]
        told = told if type(told) is classmethod else None
    if told is not None:
        return attempt(_told, value, otherwise=[])
    if _is_kind_of("pandas", ("DataFrame",), value):
        return attempt(_columns, value, otherwise=[])
    if _is_kind_of("pandas", ("Series",), value):
        return attempt(_index, value, otherwise=[])
    if _is_kind_of("numpy", ("ndarray", "void", "record", "recarray"), value):
        return attempt(_fields, value, otherwise=[])
    return []


def _told(value) -> list:
    return _first(value._ipython_key_completions_())


def _columns(value) -> list:
    return _first(value.columns)


def _index(value) -> list:
    return _first(value.index)


def _fields(value) -> list:
    return _first(value.dtype.names or ())


def _labels(value, place: int) -> list:
    axes = value.obj.axes
    return _first(axes[place]) if place < len(axes) else []


def _first(keys) -> list:
    return list(islice(keys, _MOST_LOOKED_AT))


def _is_kind_of(package: str, names: tuple, value: object) -> bool:
    return any(name_of(base) in names and is_from(package, base) for base in bases_of(type(value)))


def _parts(before: str) -> "list | None":
    """The finished parts of a tuple; a slice among them stands for anything."""
    body = statements("x[" + before + "0]") if before else None
    if body is None:
        return None if before else []
    node = body[0].value.slice  # type: ignore[attr-defined]
    node = getattr(node, "value", node) if type(node).__name__ == "Index" else node  # Python 3.8
    items = getattr(node, "elts", None) or getattr(node, "dims", None) or []
    return [item.value if isinstance(item, ast.Constant) else MISSING for item in items[:-1]]


def _decoded(string: OpenString, typed: str) -> "str | bytes | None":
    """The value of the unfinished text so far; None if it ends in half an escape."""
    body = statements(string.prefix + string.quote + typed + string.quote) if "\\" in typed or "b" in string.prefix else None
    if body:
        return getattr(getattr(body[0], "value", None), "value", None)
    return None if "\\" in typed or "b" in string.prefix else typed


def _continued(key: object, string: OpenString, typed: "str | bytes") -> "str | None":
    """The inside of an open string, escaped for its own quotes."""
    key = plain(key) if issubclass(type(key), str) else key  # type: ignore[arg-type]
    if type(key) is not type(typed) or not key.startswith(typed):  # type: ignore[attr-defined,arg-type]
        return None
    return escaped(key, string)  # type: ignore[arg-type]


def escaped(key: "str | bytes", string: OpenString) -> "str | None":
    """The inside of a string literal with this prefix and these quotes; None if such a literal cannot express it."""
    quote = string.quote[0]
    characters = key if type(key) is str else bytes(key).decode("latin-1")  # type: ignore[arg-type]
    pieces = []
    for character in characters:  # type: ignore[union-attr]
        if character in ("\\", quote):
            pieces.append("\\" + character)
        elif character.isprintable() and (type(key) is str or character.isascii()):
            pieces.append(character)
        else:
            pieces.append(repr(character)[1:-1] if type(key) is str else "\\x%02x" % ord(character))
    text = "".join(pieces)
    can_escape = "r" not in string.prefix and "f" not in string.prefix
    return text if can_escape or text == characters else None


def _written(key: object) -> "str | None":
    """The complete literal, if nothing has been typed."""
    if issubclass(type(key), str):
        key = plain(key)  # type: ignore[arg-type]
    elif type(key) is tuple:
        parts = [_written(part) for part in key]
        return None if not parts or None in parts else "(%s%s)" % (", ".join(parts), "," * (len(parts) == 1))  # type: ignore[arg-type]
    return repr(key) if is_one_of(_LITERALS, type(key)) else None
