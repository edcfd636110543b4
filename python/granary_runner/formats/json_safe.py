"""Turns any value into one that strict JSON can carry.

A NaN makes a document that other languages refuse to read, so such values are replaced rather than passed on.
"""

from __future__ import annotations

from .plain_text import plain_text

DEEPEST = 100
LONGEST_INT_BITS = 10_000  # Python refuses to write integers of more than 4300 digits in decimal


def json_safe(value, ancestors: tuple = ()):
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
        return _container(value, ancestors)
    return _other(value, ancestors)


def base64_text(value) -> str:
    from binascii import b2a_base64

    return b2a_base64(bytes(value), newline=False).decode("ascii")


def _finite_or_none(number: float):
    return number if number - number == 0 else None


def _container(value, ancestors: tuple):
    if id(value) in ancestors:
        return "<circular reference>"
    if len(ancestors) >= DEEPEST:
        return "<nested too deeply>"
    ancestors += (id(value),)
    if isinstance(value, dict):
        return {_key(key): json_safe(item, ancestors) for key, item in value.items()}
    return [json_safe(item, ancestors) for item in value]


def _key(key) -> str:
    return str.__str__(key) if isinstance(key, str) else _text(key)


def _other(value, ancestors: tuple):
    """Arrays and scalars of numpy and its relatives know their plain form; anything else becomes text."""
    try:
        plain = value.tolist() if hasattr(type(value), "tolist") else value
    except Exception:
        plain = value
    return _text(value) if type(plain) is type(value) else json_safe(plain, ancestors)


def _text(value) -> str:
    try:
        return str.__str__(str(value))
    except Exception:
        return plain_text(value)
