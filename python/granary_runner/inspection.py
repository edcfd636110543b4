"""What `obj?` shows, and what an editor shows for the name under the cursor.

Looks at things without running the user's code, beyond what reading an attribute runs: no `repr`, no `len`, no call. What
has to be run is an `attempt`; everything else is read with C functions that no class can redefine (`type_facts`).
"""

from __future__ import annotations

import builtins
import inspect
import re
import textwrap

from .attempts import attempt, is_asked
from .sketches import sketch
from .type_facts import is_one_of, module_of, name_of, names_in, plain

_DOTTED_NAME = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*$")
_SHOWS_ITSELF = (bool, int, float, complex, str, bytes, bytearray, range, type(None))
_HAS_LENGTH = (str, bytes, bytearray, list, tuple, dict, set, frozenset)
_LONGEST_VALUE = 200
_LABEL_WIDTH = 13
_MISSING = object()


def describe(namespace: dict, expression: str, detail: int) -> str | None:
    """Signature, documentation and origin of a name, of what is behind `.name` and `[key]`, or of a %magic; with detail 1 its source. None if unknown."""
    expression = expression.strip()
    if expression.startswith("%"):
        from .magics.table import describe_magic

        return describe_magic(expression)
    if "[" in expression:
        from .subscripts import value_at

        value = value_at(namespace, expression, _MISSING)
    else:
        value = look_up(namespace, expression)
    return None if value is _MISSING else _description(expression, value, detail)


def look_up(namespace: dict, dotted: str, default: object = _MISSING) -> object:
    """The value of a dotted name. A property at its end is not computed: it is the property itself that is found."""
    if not _DOTTED_NAME.match(dotted):
        return default
    first, *attributes = dotted.split(".")
    value = namespace.get(first, _MISSING)
    if value is _MISSING:
        value = vars(builtins).get(first, _MISSING)
    for position, name in enumerate(attributes):
        if value is _MISSING:
            break
        value = _attribute(value, name, is_last=position == len(attributes) - 1)
    return default if value is _MISSING else value


def _attribute(value: object, name: str, is_last: bool) -> object:
    names = names_in(value)
    if names is not None and (name in names or is_asked()):
        # A module's __getattr__ loads what nobody has needed so far, which may take long and must not be cut short.
        return names.get(name, _MISSING)
    return attempt(_read, value, name, is_last, otherwise=_MISSING)


def _read(value: object, name: str, is_last: bool) -> object:
    if is_last:
        static = inspect.getattr_static(type(value), name, None)
        if type(static) is property:
            return static
    return getattr(value, name)


def _description(name: str, value: object, detail: int) -> str:
    source = attempt(_source, value) if detail > 0 else None
    fields = [
        (_signature_label(value), attempt(_signature, name, value)),
        ("Type", _type_name(value)),
        ("Value", sketch(value, _LONGEST_VALUE) if is_one_of(_SHOWS_ITSELF, type(value)) else None),
        ("Length", str(len(value)) if is_one_of(_HAS_LENGTH, type(value)) else None),  # type: ignore[arg-type]
        ("Source" if source else "Docstring", source or attempt(_documentation, value)),
        ("File", attempt(_file, value)),
    ]
    return "\n".join(_field(label, text) for label, text in fields if text)


def _field(label: str, text: str) -> str:
    head = f"{label}:"
    return f"{head}\n{text.rstrip()}" if "\n" in text else head.ljust(_LABEL_WIDTH) + text


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
        return None  # everybody knows what a list is
    return _plain_or_none(inspect.getdoc(value))


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
