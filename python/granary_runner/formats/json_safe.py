"""Turns any value, of any depth, into one that strict JSON can carry, and into JSON.

Other languages refuse a document with NaN, so such values are replaced. Nothing
here recurses: the depth of a value is the user's choice, and Python's stack is short.
"""

from __future__ import annotations

from ..wire.frames import dumps
from .plain_text import plain_text

DEEPEST = 200_000  # an object may answer `tolist()` with another one like it for ever
_SHORT = 1 << 62
LONGEST_INT_BITS = 10_000  # Python refuses to write integers of more than 4300 digits in decimal


def json_safe(value):
    answer: list = []
    path: set = set()  # the containers that are open, by their ids
    stack = [(iter([(None, value)]), answer, value)]
    while stack:
        items, target, original = stack[-1]  # kept until done, or another object could get its id
        for key, item in items:
            opened = None
            if type(item) is str or (type(item) is int and -_SHORT < item < _SHORT):
                plain = item  # nearly all items of a large value
            else:
                plain = _plain(item)
                if isinstance(plain, (dict, list, tuple, set, frozenset)):
                    opened, plain = _opened(plain, path, len(stack))
            if key is None:
                target.append(plain)
            else:
                target[key] = plain
            if opened is not None:
                stack.append(opened)
                break
        else:
            stack.pop()
            path.discard(id(original))
    return answer[0]


def json_text(value) -> str:
    """A safe value as JSON. The fast way recurses, and works for nearly all values."""
    try:
        return dumps(value)
    except RecursionError:
        return "".join(_pieces(value))


def base64_text(value) -> str:
    from binascii import b2a_base64

    return b2a_base64(bytes(value), newline=False).decode("ascii")


def _plain(value):
    """A container, or a replacement for anything else."""
    if value is None or value is True or value is False or type(value) is str:
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int.__int__(value) if value.bit_length() < LONGEST_INT_BITS else hex(value)
    if isinstance(value, float):
        return _finite_or_none(float.__float__(value))
    if isinstance(value, (bytes, bytearray, memoryview)):
        return base64_text(value)
    if isinstance(value, (dict, list, tuple, set, frozenset)):
        return value
    return _other(value)


def _finite_or_none(number: float):
    return number if number - number == 0 else None


def _opened(value, path: set, depth: int) -> tuple:
    """The remaining items of a container, and its copy."""
    identity = id(value)
    if identity in path:
        return None, "<circular reference>"
    if depth > DEEPEST:
        return None, "<nested too deeply>"
    path.add(identity)
    if isinstance(value, dict):
        copy: object = {}
        items = iter([(_key(key), item) for key, item in value.items()])
    else:
        copy = []
        items = iter([(None, item) for item in value])
    return (items, copy, value), copy


def _key(key) -> str:
    return str.__str__(key) if isinstance(key, str) else _text(key)


def _other(value):
    """Arrays and scalars of numpy and similar libraries have a plain form; anything else becomes text."""
    try:
        plain = value.tolist() if hasattr(type(value), "tolist") else value
    except Exception:
        plain = value
    if type(plain) is type(value) or hasattr(type(plain), "tolist"):
        return _text(value)
    return _plain(plain)


def _text(value) -> str:
    try:
        return str.__str__(str(value))
    except Exception:
        return plain_text(value)


def _pieces(value) -> list:
    pieces: list = []
    stack = [iter([("", value)])]
    closers = [""]
    while stack:
        for before, item in stack[-1]:
            pieces.append(before)
            if isinstance(item, dict) and item:
                pieces.append("{")
                keys = [dumps(key) + ":" for key in item]
                stack.append(zip(_with_commas(keys), item.values()))
                closers.append("}")
                break
            if isinstance(item, (list, tuple)) and item:
                pieces.append("[")
                stack.append(zip(_with_commas([""] * len(item)), item))
                closers.append("]")
                break
            pieces.append(dumps(item))
        else:
            stack.pop()
            pieces.append(closers.pop())
    return pieces


def _with_commas(keys: list) -> list:
    return [key if at == 0 else "," + key for at, key in enumerate(keys)]
