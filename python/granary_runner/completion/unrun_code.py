"""Reads the code above the cursor as Python would run it, and guesses the value of an expression at the cursor.

Runs nothing: takes all branches, and loops once. Names that the code does not define have their values in the session.
"""

from __future__ import annotations

import ast
from types import CoroutineType, GeneratorType

from ..questions.expressions import Made
from . import guesses
from .guesses import Class, Function, Generic, Instance, Known
from .written_classes import instance_attribute
from .written_types import annotated

_DEEPEST = 25
_MOST = 20  # guesses about one expression
_LITERALS = {
    **{ast.List: list, ast.ListComp: list, ast.Tuple: tuple, ast.Set: set, ast.SetComp: set, ast.Dict: dict, ast.DictComp: dict},
    **{ast.JoinedStr: str, ast.Compare: bool, ast.GeneratorExp: GeneratorType},
}


class Reading:
    """The names at the cursor. `line` is the number of the line on which the cursor's statement begins."""

    def __init__(self, look_up, tree: ast.Module, line: int) -> None:
        self._look_up = look_up  # a name's value in the session, as guesses
        self._line = line
        self._depth = 0
        self.names: "dict | None" = None
        end = self.run(tree.body, {})
        self.names = end if self.names is None else self.names

    # Statements: each adds guesses to `names`.

    def run(self, body: list, names: dict) -> dict:
        for node in body:
            if node.lineno == self._line and isinstance(node, ast.Pass):
                self.names = dict(names)
            method = getattr(self, "_" + type(node).__name__, None)
            if method is not None:
                method(node, names)
        return names

    def _Assign(self, node: ast.Assign, names: dict) -> None:
        found = self.evaluate(node.value, names)
        for target in node.targets:
            self._bind(target, found, names)

    def _AnnAssign(self, node: ast.AnnAssign, names: dict) -> None:
        told = annotated(self, node.annotation, names)
        self._bind(node.target, told + (self.evaluate(node.value, names) if node.value else []), names)

    def _FunctionDef(self, node, names: dict) -> None:
        names[node.name] = [Function(node, names)]
        self._look_inside(node, Function(node, names))

    _AsyncFunctionDef = _FunctionDef

    def _ClassDef(self, node: ast.ClassDef, names: dict) -> None:
        written = Class(node, names)
        names[node.name] = [written]
        for part in node.body:
            if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self._look_inside(part, Function(part, names, Instance(written)))

    def _Import(self, node: ast.Import, names: dict) -> None:
        import sys

        for alias in node.names:
            name = alias.name if alias.asname else alias.name.partition(".")[0]
            if name in sys.modules:
                names[alias.asname or name] = [Known(sys.modules[name])]

    def _If(self, node, names: dict) -> None:
        self._branches(names, node.body, node.orelse)

    _While = _If

    def _Try(self, node, names: dict) -> None:
        self._branches(names, [*node.body, *node.orelse], *(handler.body for handler in node.handlers))
        self.run(node.finalbody, names)

    def _For(self, node, names: dict) -> None:
        self._bind(node.target, self._iterated(node.iter, names), names)
        self._branches(names, node.body, node.orelse)

    _AsyncFor = _For

    def _With(self, node, names: dict) -> None:
        for part in node.items:
            if part.optional_vars is not None:
                self._bind(part.optional_vars, self.evaluate(part.context_expr, names), names)
        self.run(node.body, names)

    _AsyncWith = _With

    def _branches(self, names: dict, *bodies: list) -> None:
        """After the branches, a name may have the value of any of them, or its earlier one."""
        ends = [self.run(body, dict(names)) for body in bodies]
        for end in ends:
            for name, found in end.items():
                before = names.get(name, [])
                names[name] = [*before, *(one for one in found if not any(one is other for other in before))][:_MOST]

    def _bind(self, target, found: list, names: dict) -> None:
        if isinstance(target, (ast.Tuple, ast.List)):
            for at, part in enumerate(target.elts):
                self._bind(part, [one for guess in found for one in guesses.item(guess, at)], names)
        else:
            names[key_of(target)] = found

    def _look_inside(self, node, function: Function) -> None:
        """The cursor may be in its body."""
        if node.lineno <= self._line <= (node.end_lineno or node.lineno):
            self.run(node.body, self.parameters(function))

    def parameters(self, function: Function) -> dict:
        """The names that the body of a function begins with."""
        given = function.node.args
        listed = [*getattr(given, "posonlyargs", []), *given.args, *given.kwonlyargs]
        names = {**function.names, **{one.arg: annotated(self, one.annotation, function.names) for one in listed}}
        if function.owner is not None and listed:
            names[listed[0].arg] = [function.owner]
        return names

    # Expressions.

    def evaluate(self, node, names: dict) -> list:
        """Possible values; empty if unknown."""
        if node is None or self._depth > _DEEPEST:
            return []
        self._depth += 1
        try:
            return self._evaluated(node, names)[:_MOST]
        finally:
            self._depth -= 1

    def _evaluated(self, node, names: dict) -> list:
        if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) and key_of(node) in names:
            return names[key_of(node)]
        if isinstance(node, ast.Name):
            return self._look_up(node.id)
        if isinstance(node, ast.Attribute):
            return [one for guess in self.evaluate(node.value, names) for one in self.attribute(guess, node.attr)]
        if isinstance(node, ast.Subscript):
            index = literal(getattr(node.slice, "value", node.slice) if type(node.slice).__name__ == "Index" else node.slice)
            found = self.evaluate(node.value, names)
            return [one for guess in found for one in guesses.item(guess, index)]
        if isinstance(node, ast.Call):
            return [one for guess in self.evaluate(node.func, names) for one in self._called(guess)]
        if isinstance(node, ast.Await):
            made = node.value.func if isinstance(node.value, ast.Call) else None
            return [one for guess in self.evaluate(made, names) for one in self._called(guess, awaited=True)]
        if isinstance(node, ast.IfExp):
            return self.evaluate(node.body, names) + self.evaluate(node.orelse, names)
        if isinstance(node, ast.BoolOp):
            return [one for value in node.values for one in self.evaluate(value, names)]
        if isinstance(node, ast.BinOp):
            return self.evaluate(node.left, names)
        if isinstance(node, ast.Lambda):
            return [Function(node, names)]
        value = literal(node)
        if value is not guesses.MISSING:
            return [Known(value)]
        return [Made(_LITERALS[type(node)])] if type(node) in _LITERALS else []

    def attribute(self, guess, name: str) -> list:
        if isinstance(guess, (Instance, Class)):
            return instance_attribute(self, guess, name)
        return [] if isinstance(guess, Function) else guesses.attribute(guess, name)

    def _called(self, guess, awaited: bool = False) -> list:
        if isinstance(guess, Class):
            return [Instance(guess)]
        return self.returned(guess, awaited) if isinstance(guess, Function) else guesses.returned(guess)

    def returned(self, function: Function, awaited: bool = False) -> list:
        """The result of a written function: its annotation, or else the values of its `return` statements."""
        node = function.node
        if isinstance(node, ast.Lambda):
            return self.evaluate(node.body, self.parameters(function))
        if isinstance(node, ast.AsyncFunctionDef) and not awaited:
            return [Made(CoroutineType)]
        told = annotated(self, node.returns, function.names)
        if told or self._depth > _DEEPEST:
            return told
        inside = list(_own_nodes(node.body))
        if any(isinstance(one, (ast.Yield, ast.YieldFrom)) for one in inside):
            return [Made(GeneratorType)]
        self._depth += 1
        try:
            names = self.run(node.body, self.parameters(function))
            return [guess for one in inside if isinstance(one, ast.Return) for guess in self.evaluate(one.value, names)]
        finally:
            self._depth -= 1

    def _iterated(self, node, names: dict) -> list:
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Attribute) and called.attr in ("items", "keys", "values") and not node.args:
            return [one for guess in self.evaluate(called.value, names) for one in guesses.pairs_of(guess, called.attr)]
        if isinstance(called, ast.Name) and called.id in ("enumerate", "zip", "sorted", "reversed", "list", "set", "tuple"):
            parts = [self._iterated(one, names) for one in node.args]
            if called.id == "enumerate":
                parts.insert(0, [Made(int)])
            return [Generic(tuple, parts)] if called.id in ("enumerate", "zip") else (parts or [[]])[0]
        return [one for guess in self.evaluate(node, names) for one in guesses.elements(guess)]


def key_of(node) -> str:
    """A name; or a target such as `d["a"]` and `thing.part`, by its source."""
    return node.id if isinstance(node, ast.Name) else ast.dump(node).replace("Store()", "Load()")


def literal(node) -> object:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return guesses.MISSING


def _own_nodes(body: list):
    """The nodes of a function, without those of functions and classes inside it."""
    waiting = list(body)
    while waiting:
        node = waiting.pop(0)
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            waiting.extend(ast.iter_child_nodes(node))
