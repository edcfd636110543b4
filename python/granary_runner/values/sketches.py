"""A value in a few words, made without running user code, while a cell may be changing it.

No `repr`, no `len`, no attribute of an unknown class: the content of Python's own types is read with their own C
functions, which also take subclasses. Everything is cut before it becomes text, so a value of any size takes little time.
"""

from __future__ import annotations

from _collections import deque
from itertools import islice

from . import definitions, library_values
from .type_facts import built_in_base, name_of, plain

_DEEPEST = 3
_MOST_BITS = 1024  # the digits of a very long number take seconds
_TRIES = 3


def sketch(value: object, longest: int) -> str:
    """At most `longest` characters that describe `value`."""
    drawing = Drawing(longest)
    drawing.add(value)
    text = "".join(drawing.pieces)
    return text if len(text) <= longest else text[: max(longest - 1, 0)] + "…"


class Drawing:
    """The pieces of a sketch, and the remaining room."""

    def __init__(self, room: int) -> None:
        self.pieces: list = []
        self.room = room
        self._depth = 0

    def write(self, text: str) -> None:
        self.pieces.append(text)
        self.room -= len(text)

    def add(self, value: object) -> None:
        cls = type(value)
        base = built_in_base(cls)
        draw = _DRAWN.get(base)
        if draw is None:
            self._add_other(value, cls)
        elif base is cls and base is not BaseException:
            draw(self, value)
        else:
            self.write(name_of(cls) + "(")
            draw(self, value)
            self.write(")")

    def _add_other(self, value: object, cls: type) -> None:
        definition = definitions.text_of(value, cls)
        if definition is not None:
            self.write(definition)
        elif not library_values.draw(self, value, cls):
            self.write("<%s object>" % name_of(cls))

    def add_all(self, opening: str, items: list, total: int, closing: str) -> None:
        """Items of a container, as many as fit; `Pair`s are those of a dict."""
        self.write(opening)
        if self._depth == _DEEPEST and items:
            self.write("…")
        else:
            self._depth += 1
            self._add_each(items, total)
            self._depth -= 1
        self.write(closing)

    def _add_each(self, items: list, total: int) -> None:
        for position, item in enumerate(items):
            if position:
                self.write(", ")
            if self.room <= 0:
                return
            if type(item) is Pair:
                self.add(item.key)
                self.write(": ")
                item = item.value
            self.add(item)
        if total > len(items):
            self.write(", …" if items else "…")

    @property
    def most_items(self) -> int:
        """More than can be shown: an item with its separator takes at least three characters."""
        return max(self.room, 0) // 3 + 1


class Pair:
    __slots__ = ("key", "value")

    def __init__(self, item: tuple) -> None:
        self.key, self.value = item


def _constant(drawing: Drawing, value: object) -> None:
    drawing.write(repr(value))


def _integer(drawing: Drawing, value: int) -> None:
    bits = int.bit_length(value)
    drawing.write(int.__repr__(value) if bits <= _MOST_BITS else "<int of %d bits>" % bits)


def _float(drawing: Drawing, value: float) -> None:
    drawing.write(float.__repr__(value))


def _complex(drawing: Drawing, value: complex) -> None:
    drawing.write(complex.__repr__(value))


def _string(drawing: Drawing, value: str) -> None:
    shown = plain(value, max(drawing.room, 0) + 1)
    drawing.write(repr(shown))


def _bytes(drawing: Drawing, value: bytes) -> None:
    drawing.write(repr(bytes.__getitem__(value, slice(0, max(drawing.room, 0) + 1))))


def _bytearray(drawing: Drawing, value: bytearray) -> None:
    drawing.write(repr(bytearray.__getitem__(value, slice(0, max(drawing.room, 0) + 1))))


def _list(drawing: Drawing, value: list) -> None:
    drawing.add_all("[", list.__getitem__(value, slice(0, drawing.most_items)), list.__len__(value), "]")


def _tuple(drawing: Drawing, value: tuple) -> None:
    total = tuple.__len__(value)
    items = list(tuple.__getitem__(value, slice(0, drawing.most_items)))
    drawing.add_all("(", items, total, ",)" if total == 1 else ")")


def _deque(drawing: Drawing, value: deque) -> None:
    items = _first(lambda: deque.__iter__(value), drawing.most_items)
    drawing.add_all("deque([", items, deque.__len__(value), "])")


def _dict(drawing: Drawing, value: dict) -> None:
    items = _first(lambda: dict.items(value), drawing.most_items)
    drawing.add_all("{", [Pair(item) for item in items], dict.__len__(value), "}")


def _set(drawing: Drawing, value: set) -> None:
    items = _first(lambda: set.__iter__(value), drawing.most_items)
    drawing.add_all("{" if items else "set(", items, set.__len__(value), "}" if items else ")")


def _frozenset(drawing: Drawing, value: frozenset) -> None:
    items = _first(lambda: frozenset.__iter__(value), drawing.most_items)
    drawing.add_all("frozenset({" if items else "frozenset(", items, frozenset.__len__(value), "})" if items else ")")


def _range(drawing: Drawing, value: range) -> None:
    parts = [value.start, value.stop]
    drawing.add_all("range(", parts if int.__eq__(value.step, 1) else [*parts, value.step], 0, ")")


def _exception(drawing: Drawing, value: BaseException) -> None:
    arguments = BaseException.__dict__["args"].__get__(value)
    drawing.add_all("", list(tuple.__getitem__(arguments, slice(0, drawing.most_items))), len(arguments), "")


def _first(items, most: int) -> list:
    """The first items of a container that the cell may be changing. Python's lock is held throughout, unless the memory
    for the list makes the garbage collector run, which lets the cell continue."""
    for _ in range(_TRIES):
        try:
            return list(islice(items(), most))
        except RuntimeError:
            pass  # changed size during iteration
    return []


_DRAWN = {
    type(None): _constant,
    bool: _constant,
    type(Ellipsis): _constant,
    int: _integer,
    float: _float,
    complex: _complex,
    str: _string,
    bytes: _bytes,
    bytearray: _bytearray,
    list: _list,
    tuple: _tuple,
    deque: _deque,
    dict: _dict,
    set: _set,
    frozenset: _frozenset,
    range: _range,
    BaseException: _exception,
}
