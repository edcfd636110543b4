"""Classes in code that has not run: their attributes, and those that methods give to `self`."""

from __future__ import annotations

import ast

from ..questions.expressions import Made
from .guesses import Class, Function, Instance, Known
from .written_types import annotated

_METHODS = (ast.FunctionDef, ast.AsyncFunctionDef)
_PROPERTIES = ("property", "cached_property")


def instance_attribute(reading, guess, name: str) -> list:
    """Of an instance or of the class itself."""
    written = guess.of if isinstance(guess, Instance) else guess
    for part in written.node.body:
        if isinstance(part, _METHODS) and part.name == name:
            method = Function(part, written.names, guess if isinstance(guess, Instance) else None)
            return reading.returned(method) if _is_property(part) else [method]
        if name in _targets(part):
            return _value_of(reading, part, written.names)
    for method, part in _given_to_self(written) if isinstance(guess, Instance) else ():
        if name in _targets(part, self_of(method)):
            names = reading.parameters(Function(method, written.names, guess))
            return _value_of(reading, part, names)
    for base in _bases(reading, written):
        is_written = isinstance(base, Class)
        owner = (Instance(base) if isinstance(guess, Instance) else base) if is_written else Made(base.value)
        found = reading.attribute(owner, name)
        if found:
            return found
    return []


def names_of(reading, guess) -> "tuple[dict, list]":
    """The names of its attributes, each with its kind; and the real classes that it inherits from."""
    written = guess.of if isinstance(guess, Instance) else guess
    names: dict = {}
    for part in written.node.body:
        if isinstance(part, _METHODS):
            names[part.name] = "property" if _is_property(part) else "function"
        names.update(dict.fromkeys(_targets(part), "instance"))
    if isinstance(guess, Instance):
        for method, part in _given_to_self(written):
            names.update(dict.fromkeys(_targets(part, self_of(method)), "instance"))
    real: list = []
    for base in _bases(reading, written):
        if isinstance(base, Class):
            inherited, others = names_of(reading, Instance(base) if isinstance(guess, Instance) else base)
            names = {**inherited, **names}
            real += others
        else:
            real.append(base.value)
    return names, real or [object]


def self_of(method) -> str:
    return method.args.args[0].arg if method.args.args else ""


def _bases(reading, written: Class) -> list:
    found = [one for node in written.node.bases for one in reading.evaluate(node, written.names)]
    return [one for one in found if isinstance(one, Class) and one is not written or isinstance(one, Known) and issubclass(type(one.value), type)]


def _given_to_self(written: Class):
    for method in written.node.body:
        if isinstance(method, _METHODS):
            for part in ast.walk(method):
                if isinstance(part, (ast.Assign, ast.AnnAssign)):
                    yield method, part


def _targets(part, owner: "str | None" = None) -> list:
    """The names that a statement assigns; with an owner, the attributes of that."""
    targets = part.targets if isinstance(part, ast.Assign) else [part.target] if isinstance(part, ast.AnnAssign) else []
    if owner is None:
        return [target.id for target in targets if isinstance(target, ast.Name)]
    mine = (target for target in targets if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name))
    return [target.attr for target in mine if target.value.id == owner]


def _value_of(reading, part, names: dict) -> list:
    told = annotated(reading, part.annotation, names) if isinstance(part, ast.AnnAssign) else []
    return told + (reading.evaluate(part.value, names) if part.value is not None else [])


def _is_property(method) -> bool:
    return any(getattr(one, "id", getattr(one, "attr", "")) in _PROPERTIES for one in method.decorator_list)


