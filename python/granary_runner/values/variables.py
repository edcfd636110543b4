"""Descriptions of the user's variables, for a host that asks while a cell runs.

This runs on a separate thread. It never calls user code, which might hang or not expect
another thread; and it holds a value only while describing it, because the thread that releases a value last runs
its `__del__`.
"""

from __future__ import annotations

from . import library_values
from .definitions import kind_of
from .sketches import sketch
from .type_facts import built_in_base, module_of, name_of

_KINDS = ("data", "function", "class", "module")  # in the order in which they are listed
_LONGEST_NAME = 200
_GONE = object()


def listing(namespace: dict, most: int, longest_value: int) -> dict:
    """At most `most` variables: data first, each kind in the order of definition; and the total number."""
    names: dict = {kind: [] for kind in _KINDS}
    for name in list(namespace):
        if _is_the_users(name):
            names[kind_of(type(namespace.get(name)))].append(name)
    ordered = [name for kind in _KINDS for name in names[kind]]
    described = [_describe(name, namespace.get(name, _GONE), longest_value) for name in ordered[:most]]
    there = [variable for variable in described if variable is not None]
    return {"variables": there, "total": len(ordered) - (len(described) - len(there))}


def _is_the_users(name: object) -> bool:
    """A leading underscore marks results, names of Python's, and private names."""
    return type(name) is str and name.isidentifier() and name[0] != "_" and len(name) <= _LONGEST_NAME


def _describe(name: str, value: object, longest_value: int) -> "dict | None":
    if value is _GONE:
        return None  # the cell deleted it since
    cls = type(value)
    module = module_of(cls)
    return {
        "name": name,
        "kind": kind_of(cls),
        "type": name_of(cls),
        "module": None if module in ("builtins", "__main__") else module or None,
        **{"length": None, "shape": None, "size": None},
        **_facts(value, cls),
        "value": sketch(value, longest_value),
    }


def _facts(value: object, cls: type) -> dict:
    base = built_in_base(cls)
    if base is None:
        return library_values.facts(value, cls)
    try:
        length = base.__len__(value) if hasattr(base, "__len__") else None  # type: ignore[attr-defined]
    except OverflowError:  # range(10 ** 30)
        length = None
    return {"length": length, "size": base.__sizeof__(value)}  # not sys.getsizeof, which asks a subclass
