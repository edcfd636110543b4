"""Possible values of a name in code that has not run: a known value, or a type from the source.

A guess is one possibility; everything here takes and returns lists of them, since `x` may be a list or a text.
"""

from __future__ import annotations

import ast
from itertools import islice

from ..questions.expressions import MISSING, Made, attribute_of, item_of, returned_by
from ..values.type_facts import is_one_of

_FEW = 5  # inspected elements of a container
_CONTAINERS = (list, tuple, set, frozenset, dict)


class Known:
    """The value of a literal, or of a name that already has one."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value


class Generic:
    """An instance of a class whose parts are known: `list[str]`, or the pairs of `enumerate(…)`, which are tuples."""

    __slots__ = ("cls", "parts")

    def __init__(self, cls: type, parts: "list[list]") -> None:
        self.cls, self.parts = cls, parts


class Function:
    """A `def` or a `lambda`; `owner` is the instance that it is a method of."""

    __slots__ = ("node", "names", "owner")

    def __init__(self, node, names: dict, owner=None) -> None:
        self.node, self.names, self.owner = node, names, owner


class Class:
    """A `class` statement."""

    __slots__ = ("node", "names")

    def __init__(self, node: ast.ClassDef, names: dict) -> None:
        self.node, self.names = node, names


class Instance:
    """An instance of the class of a `class` statement."""

    __slots__ = ("of",)

    def __init__(self, of: Class) -> None:
        self.of = of


def known(value: object) -> list:
    """The result of `expressions`, as guesses."""
    if value is MISSING:
        return []
    return [value if type(value) is Made else Known(value)]


def attribute(guess, name: str) -> list:
    """Of a value or a real class."""
    if isinstance(guess, Generic):
        guess = Made(guess.cls)
    return known(attribute_of(guess.value if isinstance(guess, Known) else guess, name))


def item(guess, index: object) -> list:
    if isinstance(guess, Generic):
        if guess.cls is tuple and isinstance(index, int) and -len(guess.parts) <= index < len(guess.parts):
            return guess.parts[index]
        return guess.parts[-1] if guess.parts and guess.cls is not tuple else []
    return known(item_of(guess.value, index)) if isinstance(guess, Known) else []


def returned(guess) -> list:
    """Of a real function or class."""
    return known(returned_by(guess.value)) if isinstance(guess, Known) else []


def elements(guess) -> list:
    """The items of an iteration over it."""
    if isinstance(guess, Generic):
        return [one for part in guess.parts[: 1 if guess.cls is dict else None] for one in part]
    cls = guess.cls if isinstance(guess, Made) else type(guess.value) if isinstance(guess, Known) else object
    if cls is range:
        return [Made(int)]
    if cls is str:
        return [Made(str)]
    if isinstance(guess, Known) and is_one_of(_CONTAINERS, cls):
        return _distinct(guess.value)
    return []


def pairs_of(guess, method: str) -> list:
    """The items of `d.items()`, `d.keys()` and `d.values()`."""
    if isinstance(guess, Generic) and guess.cls is dict and len(guess.parts) == 2:
        keys, values = guess.parts
    elif isinstance(guess, Known) and type(guess.value) is dict:
        keys, values = elements(guess), _distinct(guess.value.values())
    else:
        return []
    return {"keys": keys, "values": values, "items": [Generic(tuple, [keys, values])]}[method]


def _distinct(values) -> list:
    """One guess of each type is enough, except for containers, whose parts differ."""
    seen: dict = {}
    for value in islice(values, _FEW):
        seen.setdefault(id(value if is_one_of(_CONTAINERS, type(value)) else type(value)), value)
    return [Known(value) for value in seen.values()]
