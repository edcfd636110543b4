"""The value of an expression, as far as it is known without calling user code.

Names, attributes, literals, and indexes into Python's own containers, numpy's arrays and pandas' tables. No call is
made: the type of `Thing()`, and of a function with an annotation, is known, which is enough to complete its
attributes. A property in the middle of a name is read, unless it has a return annotation; one that was too slow once
is not read again.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import operator
from functools import cached_property
from types import FunctionType, MethodType

from ..magics.syntax.quiet_parse import statements
from ..values.type_facts import built_in_base, class_attribute, is_from, is_one_of, names_in, static_attribute
from .attempts import attempt, is_asked, is_time_over

MISSING = object()
_LIBRARIES = ("pandas", "numpy")
_INDEXED = (dict, list, tuple, str, bytes, bytearray, range)
_INDEXES = (str, bytes, int, float, bool, type(None))
_EXAMPLES = {
    **{ast.List: [], ast.ListComp: [], ast.Tuple: (), ast.Set: set(), ast.SetComp: set(), ast.Dict: {}, ast.DictComp: {}},
    **{ast.JoinedStr: "", ast.Constant: MISSING, ast.UnaryOp: MISSING},
}
_LONGEST = 10_000  # characters of an expression
_slow: list = []  # getters of properties that took too long


class Made:
    """A value that does not exist: only its class is known."""

    __slots__ = ("cls",)

    def __init__(self, cls: type) -> None:
        self.cls = cls


def value_of(namespace: dict, expression: str, reads_last: bool = True) -> object:
    """Its value, `Made`, or MISSING; without `reads_last`, a property at its end is returned itself, not computed."""
    node = _parsed(expression)
    trailers = []
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        trailers.append(node)
        node = node.func if isinstance(node, ast.Call) else node.value
    value = _operand(namespace, node)
    while trailers and value is not MISSING:
        trailer = trailers.pop()
        if isinstance(trailer, ast.Attribute):
            value = _attribute(value, trailer.attr, reads=reads_last or bool(trailers))
        elif isinstance(trailer, ast.Subscript):
            value = _item(value, _index(namespace, trailer.slice))
        else:
            value = _returned(value)
    return value


def attribute_of(value: object, name: str) -> object:
    """An attribute of a value or of a `Made`; reads properties."""
    return _attribute(value, name, reads=True)


def item_of(value: object, index: object) -> object:
    return _item(value, index)


def returned_by(function: object) -> object:
    """The known result of a call."""
    return _returned(function)


def _parsed(expression: str) -> "ast.expr | None":
    body = statements("(" + expression + "\n)") if len(expression) <= _LONGEST else None
    return body[0].value if body and len(body) == 1 and isinstance(body[0], ast.Expr) else None


def _operand(namespace: dict, node: "ast.expr | None") -> object:
    if isinstance(node, ast.Name):
        value = namespace.get(node.id, MISSING)
        return vars(builtins).get(node.id, MISSING) if value is MISSING else value
    return _literal(node, _EXAMPLES.get(type(node), MISSING))


def _literal(node: "ast.expr | None", otherwise: object) -> object:
    try:
        return ast.literal_eval(node) if type(node) in _EXAMPLES else otherwise  # type: ignore[arg-type]
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return otherwise


def _index(namespace: dict, node) -> object:
    node = getattr(node, "value", node) if type(node).__name__ == "Index" else node  # Python 3.8
    if isinstance(node, ast.Name):
        value = namespace.get(node.id, MISSING)
        return value if is_one_of(_INDEXES, type(value)) else MISSING
    if isinstance(node, ast.Slice):
        return slice(None)  # its bounds do not change the type of the result
    parts = node.elts if isinstance(node, ast.Tuple) else getattr(node, "dims", None)
    if parts is not None:
        indexes = tuple(_index(namespace, part) for part in parts)
        return MISSING if any(index is MISSING for index in indexes) else indexes
    return _literal(node, MISSING)


def _item(value: object, index: object) -> object:
    if index is MISSING or type(value) is Made:
        return MISSING
    owner, method = class_attribute(type(value), "__getitem__")
    base = built_in_base(type(value))
    if is_one_of(_INDEXED, base) and owner is base:  # type: ignore[arg-type]
        if base is dict:
            return attempt(dict.get, value, index, MISSING, otherwise=MISSING)
        index = slice(0, 0) if type(index) is slice else index  # the whole list may be long
        return attempt(method, value, index, otherwise=MISSING)
    if owner is not None and _is_from_library(owner):
        return attempt(operator.getitem, value, index, otherwise=MISSING)
    return MISSING


def _is_from_library(cls: type) -> bool:
    return any(is_from(library, cls) for library in _LIBRARIES)


def _returned(function: object) -> object:
    if type(function) is Made:
        return MISSING
    if issubclass(type(function), type):
        own_call = class_attribute(type(function), "__call__")[0]
        return Made(function) if own_call is type and function is not type else MISSING  # type: ignore[arg-type]
    return _annotated(attempt(_function_of, function))


def _function_of(value: object) -> object:
    return inspect.unwrap(value.__func__ if type(value) is MethodType else value)  # type: ignore[attr-defined,arg-type]


def _annotated(function: object) -> object:
    """The return annotation of a function. Looks up an annotation that is a text, without evaluating it."""
    if type(function) is not FunctionType:
        return MISSING
    cls = attempt(_annotation, function, otherwise=MISSING)
    if type(cls) is str:
        names = function.__globals__  # type: ignore[attr-defined]
        cls = value_of(names, cls, reads_last=False) if cls.replace(".", "").isidentifier() else MISSING
    return Made(cls) if issubclass(type(cls), type) and cls is not object else MISSING


def _annotation(function: FunctionType) -> object:
    return function.__annotations__["return"]


def _attribute(value: object, name: str, reads: bool) -> object:
    if type(value) is Made:
        return _attribute_of_class(value.cls, name, reads)
    names = names_in(value)
    if names is not None and (name in names or is_asked()):
        # A module's __getattr__ loads lazily, which may take long and must not be interrupted.
        return names.get(name, MISSING)
    static = static_attribute(value, name)
    if not is_one_of((property, cached_property), type(static)):
        return attempt(getattr, value, name, otherwise=MISSING)
    return _computed(value, name, static) if reads else static


def _computed(value: object, name: str, static) -> object:
    getter = static.fget if type(static) is property else static.func
    owner = class_attribute(type(value), name)[0]
    is_known_to_be_fast = owner is not None and _is_from_library(owner)  # `df.loc`, for its columns
    told = _annotated(getter) if is_asked() and not is_known_to_be_fast else MISSING
    if told is not MISSING or any(getter is slow for slow in _slow):
        return told
    computed = attempt(getattr, value, name, otherwise=MISSING)
    if is_time_over():
        _slow.append(getter)
    return computed


def _attribute_of_class(cls: type, name: str, reads: bool) -> object:
    static = class_attribute(cls, name)[1]
    if reads and is_one_of((property, cached_property), type(static)):
        return _annotated(static.fget if type(static) is property else static.func)
    return MISSING if static is None else static
