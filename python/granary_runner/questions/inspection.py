"""The answer to `obj?`, and an editor's information about the name under the cursor.

Runs no user code except for reading attributes: no `repr`, no `len`, no call. Code
that must run is an `attempt`; everything else is read with C functions that no class can redefine (`type_facts`).
"""

from __future__ import annotations

import inspect
import re
import textwrap
from types import FunctionType

from ..completion.scanning import Scan, near_cursor
from ..values.sketches import sketch
from ..values.type_facts import class_attribute, is_one_of, module_of, name_of, plain
from .attempts import attempt
from .expressions import MISSING, Made, value_of

_REST_OF_NAME = re.compile(r"\w*")
_MAGIC = re.compile(r"%%?\w+")
_SHOWS_ITSELF = (bool, int, float, complex, str, bytes, bytearray, range, type(None))
_HAS_LENGTH = (str, bytes, bytearray, list, tuple, dict, set, frozenset)
_LONGEST_VALUE = 200
_LEAST_WIDTH = 13


def describe(namespace: dict, expression: str, detail: int) -> str | None:
    """Signature, documentation and origin of `a.b[0].c` or a %magic; with detail 1 its source. None if unknown."""
    expression = expression.strip()
    if expression.startswith("%"):
        from ..magics.table import describe_magic

        return describe_magic(expression)
    if not expression[:1].isidentifier():
        return None
    value = look_up(namespace, expression)
    if value is MISSING and "[" in expression:
        from .subscripts import value_at

        value = value_at(namespace, expression, MISSING)
    return None if value is MISSING else _description(expression, value, detail)


def look_up(namespace: dict, expression: str, default: object = MISSING) -> object:
    """The value of `a.b[0]`. For a property at its end, the property itself, not computed."""
    value = value_of(namespace, expression, reads_last=False)
    return default if value is MISSING or type(value) is Made else value


def describe_at(namespace: dict, code: str, cursor: int, detail: int = 0) -> str | None:
    """Information about a position in the code: inside a call the function, else the name under the cursor."""
    code, cursor = near_cursor(code, max(0, min(cursor, len(code))))
    for expression in _subjects(code, cursor):
        text = describe(namespace, expression, detail)
        if text is not None:
            return text
    return None


def _subjects(code: str, cursor: int) -> list[str]:
    """Candidate expressions, the likeliest first."""
    end = _REST_OF_NAME.match(code, cursor).end()  # type: ignore[union-attr]
    scan = Scan(code[:end])
    if scan.command is not None:
        return _subjects_in_command(code[scan.command :], cursor - scan.command)
    if scan.in_comment:
        return []
    calls = [scan.primary_before(at) for at in reversed(scan.open) if scan.tokens[at].text == "("]
    tokens = scan.tokens
    is_at_token = scan.string is None and bool(tokens) and tokens[-1].end >= cursor
    here = scan.primary_before(len(tokens)) if is_at_token else None
    is_called = tokens[-1].text == ")" if here is not None else False
    if here is not None and is_called:
        here = scan.callee_before(len(tokens))
    is_first = is_called or not calls or code[end:].lstrip(" ").startswith("(")
    found = [here, *calls] if is_first else [*calls, here]
    return [expression for expression in found if expression is not None]


def _subjects_in_command(command: str, cursor: int) -> list[str]:
    magic = _MAGIC.match(command)
    if magic is None:
        return []
    return [magic[0]] if cursor <= magic.end() else _subjects(command[magic.end() :], cursor - magic.end())


def _description(name: str, value: object, detail: int) -> str:
    source = attempt(_source, value) if detail > 0 else None
    fields = [
        (_signature_label(value), attempt(_signature, name, value)),
        ("Type", _type_name(value)),
        ("Value", sketch(value, _LONGEST_VALUE) if is_one_of(_SHOWS_ITSELF, type(value)) else None),
        ("Length", str(len(value)) if is_one_of(_HAS_LENGTH, type(value)) else None),  # type: ignore[arg-type]
        ("Source" if source else "Docstring", source or attempt(_documentation, value)),
        ("Init docstring", None if source else attempt(_method_documentation, value, "__init__")),
        ("Call docstring", None if source else attempt(_method_documentation, value, "__call__")),
        ("File", attempt(_file, value)),
    ]
    shown = [(label + ":", text.rstrip()) for label, text in fields if text]
    width = max(_LEAST_WIDTH, *(len(label) + 1 for label, _ in shown))
    return "\n".join(f"{label}\n{text}" if "\n" in text else label.ljust(width) + text for label, text in shown)


def _signature_label(value: object) -> str:
    return "Init signature" if issubclass(type(value), type) else "Signature"


def _signature(name: str, value: object) -> str | None:
    if not callable(value):
        return None
    return name.rpartition(".")[2] + str(inspect.signature(value))  # builtins may have none


def _type_name(value: object) -> str:
    kind = type(value)
    module = module_of(kind)
    return name_of(kind) if module in ("builtins", "__main__", "") else f"{module}.{name_of(kind)}"


def _documentation(value: object) -> str | None:
    if is_one_of(_SHOWS_ITSELF, type(value)) or is_one_of(_HAS_LENGTH, type(value)):
        return None  # the documentation of `list` does not help
    return _plain_or_none(inspect.getdoc(value))


def _method_documentation(value: object, name: str) -> str | None:
    """The documentation of a constructor or of `__call__`, if the class itself has one; that of Python's own methods does not help."""
    cls = value if issubclass(type(value), type) else type(value)
    if name == "__call__" and cls is value:
        return None
    owner, method = class_attribute(cls, name)  # type: ignore[arg-type]
    if owner is None or type(method) is not FunctionType or method.__doc__ == cls.__doc__:  # type: ignore[attr-defined]
        return None
    return _plain_or_none(inspect.getdoc(method))


def _source(value: object) -> str | None:
    for subject in (value, value.fget if type(value) is property else None, type(value)):
        try:
            return textwrap.dedent(inspect.getsource(subject))  # type: ignore[arg-type]
        except Exception:
            continue
    return None


def _file(value: object) -> str | None:
    return _plain_or_none(inspect.getfile(inspect.unwrap(value)))  # type: ignore[arg-type]


def _plain_or_none(text: object) -> str | None:
    return plain(text) if issubclass(type(text), str) else None  # type: ignore[arg-type]
