"""The shell's answers about names and expressions."""

from __future__ import annotations

import sys

from ..cells import execute
from ..questions.expressions import MISSING


class Found:
    """The object of a name, with the attributes of IPython's `OInfo`."""

    def __init__(self, obj: object = None, parent: object = None, namespace: "str | None" = None, ismagic: bool = False) -> None:
        self.found = namespace is not None
        self.obj, self.parent, self.namespace = obj, parent, namespace
        self.ismagic, self.isalias = ismagic, False

    def get(self, field: str) -> object:
        return getattr(self, field)

    __getitem__ = get

    def __eq__(self, other: object) -> bool:
        names = ("found", "obj", "parent", "namespace", "ismagic", "isalias")
        return all(getattr(self, name) is getattr(other, name, MISSING) or getattr(self, name) == getattr(other, name, MISSING) for name in names)

    __hash__ = None  # type: ignore[assignment]


class Answers:
    """Methods of the shell."""

    def user_expressions(self, expressions: dict) -> dict:
        """The value of each expression as a MIME bundle, or its error."""
        return {key: _evaluated(self, text) for key, text in expressions.items()}

    def object_inspect(self, oname: str, detail_level: int = 0) -> dict:
        """A few facts about a name, under IPython's keys."""
        import inspect

        found = self._ofind(oname)
        about = {"name": oname, "found": found.found, "ismagic": found.ismagic, "namespace": found.namespace}
        if found.found:
            about["docstring"] = inspect.getdoc(found.obj)
            about["type_name"] = type(found.obj).__name__
        return about

    def object_inspect_text(self, oname: str, detail_level: int = 0) -> str:
        """The text of `name?`."""
        from ..questions.inspection import describe

        text = describe(self.user_ns, oname, detail_level)
        if text is None:
            raise KeyError(oname)
        return text

    def get_exception_only(self, exc_tuple=None) -> str:
        """The last line of a traceback, by default of the current exception."""
        import traceback

        kind, value, _ = exc_tuple or sys.exc_info()
        return "".join(traceback.format_exception_only(kind, value))

    def _ofind(self, oname: str, namespaces=None) -> Found:
        """A name, an attribute or a magic. Finds a property itself, without computing it."""
        magic = self.find_cell_magic(oname) if oname.startswith("%%") else self.find_line_magic(oname)
        import builtins

        known = namespaces or [("Interactive", self.user_ns), ("Python builtin", vars(builtins))]
        first, *rest = oname.split(".")
        for label, names in known:
            if first in names:
                return _attribute(names[first], rest, label)
        magic = magic or (self.find_cell_magic(oname) if not oname.startswith("%") else None)
        return Found() if magic is None else Found(magic, None, "IPython internal", True)


def _attribute(value: object, names: "list[str]", label: str) -> Found:
    parent = None
    for at, name in enumerate(names):
        parent = value
        own = getattr(type(value), name, None)
        if at == len(names) - 1 and isinstance(own, property):
            return Found(own, parent, label)
        try:
            value = getattr(value, name)
        except Exception:
            return Found(None, parent)
    return Found(value, parent, label)


def _evaluated(shell, text: str) -> dict:
    try:
        data, metadata = shell.display_formatter.format(eval(text, execute.namespace()))
        return {"status": "ok", "data": data, "metadata": metadata}
    except Exception as error:
        from ..cells.errors import describe

        name, message, lines = describe(error)
        return {"status": "error", "ename": name, "evalue": message, "traceback": lines}
