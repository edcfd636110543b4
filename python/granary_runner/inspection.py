"""What `obj?` shows, and what an editor shows for the name under the cursor.

Looks at things without running the user's code, beyond what reading an attribute runs: no `repr`, no `len`, no call.
"""

from __future__ import annotations

import builtins
import inspect
import re
import textwrap

_DOTTED_NAME = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*$")
_SHOWS_ITSELF = (bool, int, float, complex, str, bytes, bytearray, range, type(None))
_HAS_LENGTH = (str, bytes, bytearray, list, tuple, dict, set, frozenset)
_LONGEST_VALUE = 200
_LABEL_WIDTH = 13
_MISSING = object()


def describe(namespace: dict, expression: str, detail: int) -> str | None:
    """Signature, documentation and origin of a dotted name or a %magic; with detail 1 its source. None if unknown."""
    expression = expression.strip()
    if expression.startswith("%"):
        from .magics.table import describe_magic

        return describe_magic(expression)
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
    try:
        if is_last:
            static = inspect.getattr_static(type(value), name, None)
            if isinstance(static, property):
                return static
        return getattr(value, name)
    except Exception:  # broken __getattr__
        return _MISSING


def _description(name: str, value: object, detail: int) -> str:
    source = _source(value) if detail > 0 else None
    fields = [
        (_signature_label(value), _signature(name, value)),
        ("Type", _type_name(value)),
        ("Value", _shown_value(value)),
        ("Length", str(len(value)) if type(value) in _HAS_LENGTH else None),  # type: ignore[arg-type]
        ("Source" if source else "Docstring", source or _documentation(value)),
        ("File", _file(value)),
    ]
    return "\n".join(_field(label, text) for label, text in fields if text)


def _field(label: str, text: str) -> str:
    head = f"{label}:"
    return f"{head}\n{text.rstrip()}" if "\n" in text else head.ljust(_LABEL_WIDTH) + text


def _signature_label(value: object) -> str:
    return "Init signature" if isinstance(value, type) else "Signature"


def _signature(name: str, value: object) -> str | None:
    if not callable(value):
        return None
    try:
        return name.rpartition(".")[2] + str(inspect.signature(value))
    except Exception:  # builtins without one, broken __signature__, defaults with a broken repr
        return None


def _type_name(value: object) -> str:
    kind = type(value)
    needs_no_module = kind.__module__ in ("builtins", "__main__")
    return kind.__qualname__ if needs_no_module else f"{kind.__module__}.{kind.__qualname__}"


def _shown_value(value: object) -> str | None:
    if type(value) not in _SHOWS_ITSELF:
        return None
    text = repr(value[:_LONGEST_VALUE] if isinstance(value, (str, bytes, bytearray)) else value)
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 1] + "…"


def _documentation(value: object) -> str | None:
    if type(value) in _SHOWS_ITSELF or type(value) in _HAS_LENGTH:
        return None  # everybody knows what a list is
    try:
        text = inspect.getdoc(value)
    except Exception:
        return None
    return text if isinstance(text, str) else None


def _source(value: object) -> str | None:
    for subject in (value, value.fget if isinstance(value, property) else None, type(value)):
        try:
            return textwrap.dedent(inspect.getsource(subject))  # type: ignore[arg-type]
        except Exception:
            continue
    return None


def _file(value: object) -> str | None:
    try:
        return inspect.getfile(inspect.unwrap(value))  # type: ignore[arg-type]
    except Exception:
        return None
