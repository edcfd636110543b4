"""Printers of Python's own types: for each type a function `(value, printer, is_inside_itself)`."""

from __future__ import annotations

import sys
from types import BuiltinFunctionType, FunctionType, MappingProxyType, MethodType, SimpleNamespace

BUILT_IN = (None, "builtins", "exceptions", "__builtin__")


def by_repr(obj, p, cycle) -> None:
    """The value's own repr; its lines start in the column of the first."""
    with p.group():
        for index, line in enumerate(repr(obj).splitlines()):
            if index:
                p.break_()
            p.text(line)


def by_default(obj, p, cycle) -> None:
    """For objects without their own repr: `<module.Class at 0x…>`."""
    kind = attribute(obj, "__class__") or type(obj)
    if attribute(kind, "__repr__") is not object.__repr__:
        by_repr(obj, p, cycle)
        return
    with p.group(1, "<", ">"):
        p.pretty(kind)
        p.text(" at 0x%x" % id(obj))
        if cycle:
            p.text(" ...")
        elif p.verbose:
            _public_attributes(obj, p)


def attribute(obj, name: str, default=None):
    try:
        return getattr(obj, name, default)
    except Exception:
        return default


def _public_attributes(obj, p) -> None:
    written = False
    for name in dir(obj):
        if name.startswith("_"):
            continue
        try:
            value = getattr(obj, name)
        except AttributeError:
            continue
        if isinstance(value, MethodType):
            continue
        if written:
            p.text(",")
        p.breakable()
        p.text(name + "=")
        with p.indent(len(name) + 1):
            p.pretty(value)
        written = True


class Call:
    """Shown as a call: `name(1, 2, key=3)`."""

    def __init__(self, name: str, args=(), named=None) -> None:
        self.name, self.args, self.named = name, args, named or {}

    def _repr_pretty_(self, p, cycle) -> None:
        prefix = self.name + "("
        with p.group(len(prefix), prefix, ")"):
            written = False
            for name, value in [(None, arg) for arg in self.args] + list(self.named.items()):
                if written:
                    p.text(",")
                    p.breakable()
                written = True
                if name is None:
                    p.pretty(value)
                else:
                    with p.group(len(name) + 1, name + "="):
                        p.pretty(value)


class Verbatim:
    """Text, shown unchanged."""

    def __init__(self, value: str) -> None:
        self.value = value

    def _repr_pretty_(self, p, cycle) -> None:
        p.text(self.value)


def _items(items, p) -> None:
    for index, item in p._enumerate(items):
        if index:
            p.text(",")
            p.breakable()
        p.pretty(item)


def sequence(start: str, end: str):
    def show(obj, p, cycle) -> None:
        if cycle:
            p.text(start + "..." + end)
            return
        with p.group(len(start), start, end):
            _items(obj, p)
            if len(obj) == 1 and isinstance(obj, tuple):
                p.text(",")

    return show


def unordered(start: str, end: str):
    def show(obj, p, cycle) -> None:
        if cycle:
            p.text(start + "..." + end)
        elif not obj:
            p.text(type(obj).__name__ + "()")
        else:
            is_long = p.max_seq_length and len(obj) >= p.max_seq_length
            with p.group(len(start), start, end):
                _items(obj if is_long else _in_some_order(obj), p)

    return show


def _in_some_order(items) -> list:
    for key in (None, str):
        try:
            return sorted(items, key=key)
        except Exception:
            pass
    return list(items)


def mapping(start: str, end: str):
    def show(obj, p, cycle) -> None:
        if cycle:
            p.text("{...}")
            return
        with p.group(len(start), start, end):
            for index, key in p._enumerate(obj.keys()):
                if index:
                    p.text(",")
                    p.breakable()
                p.pretty(key)
                p.text(": ")
                p.pretty(obj[key])

    return show


def _class(obj, p, cycle) -> None:
    describes_itself = next(kind for kind in type(obj).__mro__ if "__repr__" in vars(kind)) is not type
    if describes_itself:
        by_repr(obj, p, cycle)
        return
    name = attribute(obj, "__qualname__")
    if not isinstance(name, str):
        name = obj.__name__ if isinstance(obj.__name__, str) else "<unknown type>"
    p.text(_with_module(attribute(obj, "__module__"), name))


def _function(obj, p, cycle) -> None:
    from inspect import signature

    name = _with_module(obj.__module__ or None, attribute(obj, "__qualname__", obj.__name__))
    try:
        # From Python 3.14 on, annotations may use undefined names.
        name += str(signature(obj, annotation_format=_forward_references()) if sys.version_info >= (3, 14) else signature(obj))
    except ValueError:
        pass
    p.text("<function %s>" % name)


def _forward_references():
    from annotationlib import Format

    return Format.FORWARDREF


def _with_module(module, name: str) -> str:
    return name if module in BUILT_IN else "%s.%s" % (module, name)


def _exception(obj, p, cycle) -> None:
    kind = type(obj)
    p.pretty(Call(_with_module(kind.__module__, kind.__qualname__), getattr(obj, "args", ())))


def _super(obj, p, cycle) -> None:
    with p.group(8, "<super: ", ">"):
        p.pretty(obj.__thisclass__)
        p.text(",")
        p.breakable()
        p.pretty(obj.__self__)


FLAGS = ("IGNORECASE", "LOCALE", "MULTILINE", "DOTALL", "UNICODE", "VERBOSE", "DEBUG")


def _pattern(obj, p, cycle) -> None:
    import re

    flags = "|".join("re." + flag for flag in FLAGS if obj.flags & getattr(re, flag))
    pattern = Verbatim("r" + repr(obj.pattern).replace("\\\\", "\\"))
    p.pretty(Call("re.compile", (pattern, Verbatim(flags)) if obj.flags else (pattern,)))


def _namespace(obj, p, cycle) -> None:
    p.pretty(Call("namespace", (Verbatim("..."),)) if cycle else Call("namespace", (), obj.__dict__))


def as_call(arguments):
    """For collections shown as a constructor call; `arguments(obj)` returns positional and named arguments."""

    def show(obj, p, cycle) -> None:
        args, named = ((Verbatim("..."),), {}) if cycle else arguments(obj)
        p.pretty(Call(type(obj).__name__, args, named))

    return show


BY_TYPE = {
    int: by_repr,
    float: by_repr,
    str: by_repr,
    bytes: by_repr,
    range: by_repr,
    slice: by_repr,
    tuple: sequence("(", ")"),
    list: sequence("[", "]"),
    dict: mapping("{", "}"),
    set: unordered("{", "}"),
    frozenset: unordered("frozenset({", "})"),
    type: _class,
    super: _super,
    BaseException: _exception,
    FunctionType: _function,
    BuiltinFunctionType: _function,
    MethodType: by_repr,
    SimpleNamespace: _namespace,
    MappingProxyType: mapping("mappingproxy({", "})"),
}

# By module and name, to recognise a type without an import.
BY_NAME = {
    ("os", "_Environ"): mapping("environ{", "}"),
    ("re", "Pattern"): _pattern,
    ("datetime", "datetime"): by_repr,
    ("datetime", "timedelta"): by_repr,
    ("collections", "defaultdict"): as_call(lambda obj: ((obj.default_factory, dict(obj)), {})),
    ("collections", "OrderedDict"): as_call(lambda obj: ((list(obj.items()),) if obj else (), {})),
    ("collections", "deque"): as_call(
        lambda obj: ((list(obj),), {} if obj.maxlen is None else {"maxlen": obj.maxlen})
    ),
    ("collections", "Counter"): as_call(lambda obj: ((dict(obj.most_common()),) if obj else (), {})),
    ("collections", "UserList"): as_call(lambda obj: ((obj.data,), {})),
}

SINGLETONS = {id(value): by_repr for value in (None, True, False, Ellipsis, NotImplemented)}
