"""What can be known of a type without running any code of the user's.

Nearly everything in Python asks the class or its metaclass: `cls.__name__`, `isinstance(value, cls)` (which reads
`value.__class__`), `cls in types` and `{cls: …}` (which compare and hash it). The descriptors of `type` itself are C code,
and so is `issubclass(cls, base)` where `base` is a built-in type. `type(value)` and `is` cannot be redefined at all.
"""

from __future__ import annotations

import sys
from _collections import deque
from itertools import islice

_LONGEST_NAME = 200
_MOST_NAMES = 10_000
_qualified_name = type.__dict__["__qualname__"].__get__
_module = type.__dict__["__module__"].__get__
_bases_of = type.__dict__["__mro__"].__get__
_attributes_of = type.__dict__["__dict__"].__get__
_names_in = type(sys).__dict__["__dict__"].__get__  # of a module, also of one that loads itself when asked for anything

# `bool` before `int`, which it is a kind of.
_BUILT_IN = (
    *(type(None), type(Ellipsis), bool, int, float, complex, str, bytes, bytearray),
    *(list, tuple, range, dict, set, frozenset, deque, BaseException),
)


def name_of(cls: type) -> str:
    return plain(_qualified_name(cls), _LONGEST_NAME)


def module_of(cls: type) -> str:
    """The name of the module in which a class was made; empty where that is unknown."""
    try:
        module = _module(cls)
    except AttributeError:
        return ""
    return plain(module, _LONGEST_NAME) if issubclass(type(module), str) else ""


def built_in_base(cls: type) -> "type | None":
    """The built-in type whose own methods, such as `dict.items(value)`, can be used in place of those of a subclass."""
    for base in _BUILT_IN:
        if issubclass(cls, base):
            return base
    return None


def is_from(package: str, cls: type) -> bool:
    """Whether a package that has been imported has made this class, rather than somebody in its name."""
    module = module_of(cls)
    if module != package and not module.startswith(package + "."):
        return False
    names = names_in(sys.modules.get(module))
    return names is not None and names.get(name_of(cls)) is cls


def names_in(module: object) -> "dict | None":
    return _names_in(module) if issubclass(type(module), type(sys)) else None


def is_one_of(types: "tuple[type, ...]", cls: type) -> bool:
    """`cls in types`, which would ask a metaclass whether the two are equal."""
    return any(cls is one for one in types)


def names_of_attributes(value: object) -> "list[str]":
    """What `dir(value)` would say if no class had a say in it."""
    names = [name for base in _bases_of(type(value)) for name in _attributes_of(base)]
    try:
        names += object.__getattribute__(value, "__dict__")
    except AttributeError:
        pass  # it has slots
    return names


def texts(names, most: int = _MOST_NAMES) -> "list[str]":
    """The first of them as texts that nobody has redefined; what is no text is left out."""
    return [plain(name) for name in islice(names, most) if issubclass(type(name), str)]


def plain(text: str, longest: "int | None" = None) -> str:
    """The beginning of a text whose class may be anybody's, as a text that nobody has redefined."""
    return str.__getitem__(text, slice(0, longest))
