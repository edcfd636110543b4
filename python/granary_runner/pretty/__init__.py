"""Values as IPython shows them: containers broken at 79 columns, classes and functions by name, `_repr_pretty_`.

Notebooks, the console and Jupyter clients show this text, so a notebook that runs again keeps its outputs.
"""

from __future__ import annotations

from io import StringIO

from .layout import MAX_SEQ_LENGTH, MAX_WIDTH, PrettyPrinter
from .printers import BY_NAME, BY_TYPE, SINGLETONS, attribute, by_default, by_repr

__all__ = ["PrettyPrinter", "RepresentationPrinter", "for_type", "for_type_by_name", "pprint", "pretty"]

ONE_LINE = (int, float, str, bytes)


def pretty(obj, verbose=False, max_width=MAX_WIDTH, newline="\n", max_seq_length=MAX_SEQ_LENGTH) -> str:
    """The representation of any object as text."""
    output = StringIO()
    _print(obj, output, verbose, max_width, newline, max_seq_length)
    return output.getvalue()


def pprint(obj, verbose=False, max_width=MAX_WIDTH, newline="\n", max_seq_length=MAX_SEQ_LENGTH) -> None:
    """Print what `pretty` returns."""
    print(pretty(obj, verbose, max_width, newline, max_seq_length), end=newline, flush=True)


def for_type(typ, func):
    """Use `func(obj, printer, cycle)` for a type; with None, only ask. Returns the function used so far."""
    return _register(BY_TYPE, typ, func)


def for_type_by_name(type_module, type_name, func):
    """`for_type` for a type that may not be imported yet."""
    return _register(BY_NAME, (type_module, type_name), func)


class RepresentationPrinter(PrettyPrinter):
    """Prints values; a `_repr_pretty_` calls `p.pretty(value)` for its parts."""

    def __init__(self, output, verbose=False, max_width=MAX_WIDTH, newline="\n", singleton_pprinters=None,
                 type_pprinters=None, deferred_pprinters=None, max_seq_length=MAX_SEQ_LENGTH) -> None:
        super().__init__(output, max_width, newline, max_seq_length)
        self.verbose = verbose
        self.stack: list = []  # ids of the objects being printed
        self.singleton_pprinters = SINGLETONS if singleton_pprinters is None else singleton_pprinters
        self.type_pprinters = BY_TYPE if type_pprinters is None else type_pprinters
        self.deferred_pprinters = BY_NAME if deferred_pprinters is None else deferred_pprinters

    def pretty(self, obj) -> None:
        if type(obj) in ONE_LINE and self.type_pprinters.get(type(obj)) is by_repr:
            text = repr(obj)
            if self._fits(text):  # groups only decide line breaks, and a container of numbers has one for each
                self.text(text)
                return
        cycle = id(obj) in self.stack
        self.stack.append(id(obj))
        self.begin_group()
        try:
            self._printer_of(obj)(obj, self, cycle)
        finally:
            self.end_group()
            self.stack.pop()

    def _printer_of(self, obj):
        known = self.singleton_pprinters.get(id(obj))
        if known is not None:
            return known
        kind = attribute(obj, "__class__") or type(obj)
        for base in getattr(kind, "__mro__", (kind,)):
            known = self.type_pprinters.get(base) or self.deferred_pprinters.get(_name_of(base))
            if known is not None:
                return known
            if "_repr_pretty_" in vars(base) and callable(base._repr_pretty_):
                return base._repr_pretty_
            if base is not object and "__repr__" in vars(base) and callable(attribute(base, "__repr__")):
                return by_repr
        return by_default


def _print(obj, output, verbose, max_width, newline, max_seq_length) -> None:
    printer = RepresentationPrinter(output, verbose, max_width, newline, max_seq_length=max_seq_length)
    printer.pretty(obj)
    printer.flush()


def _name_of(kind: type) -> tuple:
    module, name = attribute(kind, "__module__"), attribute(kind, "__name__")
    return (module, name) if isinstance(module, str) and isinstance(name, str) else ("", "")


def _register(table: dict, key, func):
    before = table.get(key)
    if func is not None:
        table[key] = func
    return before
