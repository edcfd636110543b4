"""From a type hint to its JSON Schema, and to a check of the agent's argument."""

from __future__ import annotations

import dataclasses
import types
import typing
from typing import Any, Callable, Literal, NamedTuple, Union

_UNIONS = (Union, getattr(types, "UnionType", Union))  # `Optional[int]` and, from Python 3.10 on, `int | None`
_SUPPORTED = "str, int, float, bool, None, Any, list, dict, Optional, Union, Literal, and dataclasses of these"


class Kind(NamedTuple):
    schema: dict
    take: "Callable[[Any, str], Any]"
    """Value and name → the function's argument. Raises TypeError."""


def kind_of(hint: object, where: str) -> Kind:
    """Raises TypeError for a hint without a JSON form."""
    plain = next((kind for known, kind in _PLAIN if known is hint), None)
    if plain is not None:
        return plain
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin is not None and hasattr(hint, "__metadata__"):  # Annotated[int, "how many"]
        return _described(kind_of(parts[0], where), hint.__metadata__)
    if origin is list or hint is list:
        return _list(kind_of(parts[0], where) if parts and not _is_variable(parts[0]) else _ANY)
    if origin is dict or hint is dict:
        return _dict(parts, where)
    if origin in _UNIONS:
        return _union([kind_of(part, where) for part in parts])
    if origin is Literal:
        return _literal(parts, where)
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return _dataclass(hint, where)
    raise TypeError(f"{where} is {_named(hint)}, which an agent cannot send; use {_SUPPORTED}")


def _plain(schema_type: str, fits: "Callable[[Any], bool]", said: str) -> Kind:
    def take(value: Any, where: str) -> Any:
        return value if fits(value) else _refuse(where, said, value)

    return Kind({"type": schema_type}, take)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _whole(value: Any, where: str) -> int:
    if isinstance(value, float) and value.is_integer():  # JSON has one kind of number
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else _refuse(where, "a whole number", value)


def _float(value: Any, where: str) -> float:
    return float(value) if _is_number(value) else _refuse(where, "a number", value)


_ANY = Kind({}, lambda value, where: value)
_PLAIN = (
    (str, _plain("string", lambda value: isinstance(value, str), "a text")),
    (bool, _plain("boolean", lambda value: isinstance(value, bool), "true or false")),
    (int, Kind({"type": "integer"}, _whole)),
    (float, Kind({"type": "number"}, _float)),
    (type(None), _plain("null", lambda value: value is None, "null")),
    (Any, _ANY),
)


def _list(item: Kind) -> Kind:
    def take(value: Any, where: str) -> list:
        if not isinstance(value, list):
            _refuse(where, "a list", value)
        return [item.take(each, f"{where}[{index}]") for index, each in enumerate(value)]

    return Kind({"type": "array", "items": item.schema} if item.schema else {"type": "array"}, take)


def _dict(parts: tuple, where: str) -> Kind:
    if parts and not _is_variable(parts[0]) and parts[0] is not str:
        raise TypeError(f"{where} is a dict with keys of {_named(parts[0])}; JSON has only keys of str")
    item = kind_of(parts[1], where) if parts and not _is_variable(parts[1]) else _ANY

    def take(value: Any, where: str) -> dict:
        if not isinstance(value, dict):
            _refuse(where, "an object", value)
        return {key: item.take(each, f"{where}[{key!r}]") for key, each in value.items()}

    return Kind({"type": "object", **({"additionalProperties": item.schema} if item.schema else {})}, take)


def _union(kinds: "list[Kind]") -> Kind:
    def take(value: Any, where: str) -> Any:
        problems = []
        for kind in kinds:
            try:
                return kind.take(value, where)
            except TypeError as problem:
                problems.append(str(problem))
        raise TypeError(", and ".join(problems))

    return Kind({"anyOf": [kind.schema for kind in kinds]}, take)


def _literal(values: tuple, where: str) -> Kind:
    for value in values:
        if not isinstance(value, (str, int, bool, type(None))):
            raise TypeError(f"{where} has the literal {value!r}, which is no JSON")

    def take(value: Any, where: str) -> Any:
        # `True == 1` in Python, and not in JSON.
        same = [each for each in values if each == value and type(each) is type(value)]
        return same[0] if same else _refuse(where, "one of " + ", ".join(map(repr, values)), value)

    return Kind({"enum": list(values)}, take)


def _dataclass(described: type, where: str) -> Kind:
    hints = typing.get_type_hints(described)
    fields = [field for field in dataclasses.fields(described) if field.init]
    kinds = {field.name: kind_of(hints[field.name], f"{where}.{field.name}") for field in fields}
    nothing = dataclasses.MISSING
    required = [field.name for field in fields if field.default is nothing and field.default_factory is nothing]
    schema = {
        "type": "object",
        "properties": {name: kind.schema for name, kind in kinds.items()},
        "required": required,
        "additionalProperties": False,
    }

    def take(value: Any, where: str) -> Any:
        if not isinstance(value, dict):
            _refuse(where, "an object", value)
        return described(**take_named(kinds, required, value, where + "."))

    return Kind(schema, take)


def take_named(kinds: "dict[str, Kind]", required: "list[str]", values: dict, prefix: str = "") -> dict:
    unknown = [name for name in values if name not in kinds]
    missing = [name for name in required if name not in values]
    if unknown:
        raise TypeError(f"there is no {prefix}{unknown[0]}; there are: {', '.join(kinds) or 'none'}")
    if missing:
        raise TypeError(f"{prefix}{missing[0]} is missing")
    return {name: kinds[name].take(value, prefix + name) for name, value in values.items()}


def _described(kind: Kind, notes: tuple) -> Kind:
    texts = [note for note in notes if isinstance(note, str)]
    return Kind({**kind.schema, "description": texts[0]}, kind.take) if texts else kind


def _refuse(where: str, wanted: str, value: Any) -> Any:
    shown = repr(value)
    raise TypeError(f"{where} must be {wanted}, not {shown if len(shown) <= 80 else shown[:79] + '…'}")


def _is_variable(hint: object) -> bool:
    """The item type of `List` without brackets on old Pythons."""
    return isinstance(hint, typing.TypeVar)


def _named(hint: object) -> str:
    return f"{hint.__module__}.{hint.__qualname__}" if isinstance(hint, type) else str(hint)
