"""Facts about a type, found without running user code.

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
bases_of = type.__dict__["__mro__"].__get__
_attributes_of = type.__dict__["__dict__"].__get__
_Descriptor = type(type.__dict__["__dict__"])
_names_in = type(sys).__dict__["__dict__"].__get__  # of a module, even one that loads lazily

# `bool` before `int`, because it is a subclass.
_BUILT_IN = (
    *(type(None), type(Ellipsis), bool, int, float, complex, str, bytes, bytearray),
    *(list, tuple, range, dict, set, frozenset, deque, BaseException),
)


def name_of(cls: type) -> str:
    return plain(_qualified_name(cls), _LONGEST_NAME)


def module_of(cls: type) -> str:
    """The name of the module that defined a class; empty if unknown."""
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
    """Whether an imported package really defined this class, and not user code under its name."""
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


def class_attribute(cls: type, name: str) -> "tuple[type | None, object]":
    """The class among its bases that defines the name, and the definition; binds and calls nothing."""
    for base in bases_of(cls):
        attributes = _attributes_of(base)
        if name in attributes:
            return base, attributes[name]
    return None, None


def own_attributes(value: object) -> dict:
    """The `__dict__` of a value itself; empty if it has none, or if its class overrides it."""
    descriptor = class_attribute(type(value), "__dict__")[1]
    own = descriptor.__get__(value) if type(descriptor) is _Descriptor else None  # type: ignore[attr-defined]
    return own if type(own) is dict else {}


def static_attribute(value: object, name: str) -> object:
    """The raw attribute, before binding or computing; None if only `__getattr__` may know it."""
    of_class = class_attribute(type(value), name)[1]
    if type(of_class) is property:
        return of_class
    own = own_attributes(value)
    if name in own:
        return own[name]
    if issubclass(type(value), type):
        owner, found = class_attribute(value, name)  # type: ignore[arg-type]
        return of_class if owner is None else found
    return of_class


def names_of_attributes(value: object) -> "list[str]":
    """`dir(value)` without any `__dir__` of a class."""
    names = names_in_class(type(value)) + list(own_attributes(value))
    return names + names_in_class(value) if issubclass(type(value), type) else names  # type: ignore[arg-type]


def names_in_class(cls: type) -> "list[str]":
    return [name for base in bases_of(cls) for name in _attributes_of(base)]


def texts(names, most: int = _MOST_NAMES) -> "list[str]":
    """The first of them as plain texts; omits others."""
    return [plain(name) for name in islice(names, most) if issubclass(type(name), str)]


def plain(text: str, longest: "int | None" = None) -> str:
    """The beginning of a text, whose class may be user code, as a plain text."""
    return str.__getitem__(text, slice(0, longest))
