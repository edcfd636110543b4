"""Formatters that code has registered for a type: `formatters["text/html"].for_type(Table, to_html)`.

A registered function wins over the object's own `_repr_html_`. The text of an object is laid out by `pretty`, so the
formatter for `text/plain` keeps its functions there.
"""

from __future__ import annotations

from .. import pretty
from .methods import MIME_BY_METHOD

_MISSING = object()


class Formatter:
    """The functions for one MIME type, by the type of the object."""

    def __init__(self, mime: str) -> None:
        self.format_type = mime
        self.enabled = True
        self.singleton_printers: dict = {}
        self.type_printers: dict = {}
        self.deferred_printers: dict = {}  # by module and name, for types that may not be imported yet

    def __call__(self, obj):
        """The registered function's result for an object; None without a function."""
        try:
            function = self.lookup(obj)
        except KeyError:
            return None
        return function(obj)

    def has_printers(self) -> bool:
        return bool(self.type_printers or self.deferred_printers or self.singleton_printers)

    def lookup(self, obj):
        """The function for an object; KeyError if there is none."""
        known = self.singleton_printers.get(id(obj))
        return self.lookup_by_type(type(obj)) if known is None else known

    def lookup_by_type(self, typ):
        if isinstance(typ, str):
            key = _module_and_name(typ)
            for known in (self.deferred_printers, {_key_of(one): func for one, func in self.type_printers.items()}):
                if key in known:
                    return known[key]
            raise KeyError("No registered printer for %r" % typ)
        for base in getattr(typ, "__mro__", (typ,)):
            for known, key in ((self.type_printers, base), (self.deferred_printers, _key_of(base))):
                if key in known:
                    return known[key]
        raise KeyError("No registered printer for %r" % (typ,))

    def for_type(self, typ, func=None):
        """Use `func(obj)` for a type, given as such or as "module.Name"; without `func`, only ask."""
        if isinstance(typ, str):
            return self.for_type_by_name(*_module_and_name(typ), func)
        try:
            before = self.lookup_by_type(typ)
        except KeyError:
            before = None
        if func is not None:
            self.type_printers[typ] = func
            _note()
        return before

    def for_type_by_name(self, type_module, type_name, func=None):
        """`for_type` for a type that may not be imported yet."""
        key = (type_module, type_name)
        before = self.deferred_printers.get(key)
        if func is not None:
            self.deferred_printers[key] = func
            _note()
        return before

    def pop(self, typ, default=_MISSING):
        """Forget the function for a type, and return it."""
        key = _module_and_name(typ) if isinstance(typ, str) else _key_of(typ)
        for known, name in ((self.type_printers, typ), (self.deferred_printers, key)):
            if name in known:
                return known.pop(name)
        for kind in [kind for kind in self.type_printers if _key_of(kind) == key]:
            return self.type_printers.pop(kind)
        if default is _MISSING:
            raise KeyError("No registered value for %r" % (typ,))
        return default


class PlainTextFormatter(Formatter):
    """Functions take `(obj, printer, cycle)`, as `_repr_pretty_` does."""

    pprint = True
    max_width = pretty.MAX_WIDTH  # or less, where the terminal is narrower
    max_seq_length = pretty.MAX_SEQ_LENGTH
    verbose = False
    newline = "\n"
    float_format = "%r"
    _precision: object = ""

    def __init__(self) -> None:
        super().__init__("text/plain")
        self.singleton_printers = pretty.SINGLETONS
        self.type_printers = pretty.BY_TYPE
        self.deferred_printers = pretty.BY_NAME

    def __call__(self, obj):
        if not self.pprint:
            return repr(obj)
        from ..cells.execute import line_width

        width = min(line_width, self.max_width) if "max_width" not in self.__dict__ else self.max_width
        return pretty.pretty(obj, self.verbose, width, self.newline, self.max_seq_length)

    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, value)
        if name in ("pprint", "max_width", "max_seq_length", "verbose", "newline"):
            _note()

    @property
    def float_precision(self):
        return self._precision

    @float_precision.setter
    def float_precision(self, value) -> None:
        """A number of digits, a format such as "%.3e", or nothing for Python's own form."""
        from .precision import use

        self.float_format = use(value)
        self._precision = value
        _note()


FORMATTERS: dict = {"text/plain": PlainTextFormatter(), **{mime: Formatter(mime) for mime in MIME_BY_METHOD.values()}}


def text_of(obj) -> str:
    return FORMATTERS["text/plain"](obj)


def from_registered(obj, include, exclude, failures: list) -> tuple:
    """`(data, metadata)` of the functions that are registered for an object's type."""
    data: dict = {}
    metadata: dict = {}
    for mime, formatter in FORMATTERS.items():
        excluded = (include and mime not in include) or (exclude and mime in exclude)
        if mime == "text/plain" or excluded or not (formatter.has_printers() and formatter.enabled):
            continue
        try:
            value = formatter(obj)
        except NotImplementedError:
            continue
        except Exception as error:
            failures.append(error)
            continue
        if isinstance(value, tuple) and len(value) == 2:
            value, metadata[mime] = value
        if value is not None:
            data[mime] = value
    return data, metadata


def _note() -> None:
    """Use the formatter for every value from now on, not the repr alone."""
    from ..cells import execute

    execute.format_every_value()


def _module_and_name(typ: str) -> tuple:
    module, _, name = typ.rpartition(".")
    return module, name


def _key_of(typ) -> tuple:
    return getattr(typ, "__module__", ""), getattr(typ, "__name__", "")
