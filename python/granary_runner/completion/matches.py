"""A match for the cursor, with its kind and signature."""

from __future__ import annotations

from inspect import Parameter, signature
from types import (
    BuiltinFunctionType,
    ClassMethodDescriptorType,
    FunctionType,
    MethodDescriptorType,
    MethodType,
    WrapperDescriptorType,
)

from ..questions.attempts import attempt
from ..values.sketches import sketch
from ..values.type_facts import is_one_of, names_in, plain

_FUNCTIONS = (
    *(FunctionType, MethodType, BuiltinFunctionType, MethodDescriptorType),
    *(ClassMethodDescriptorType, WrapperDescriptorType, staticmethod, classmethod),
)
_LONGEST_DEFAULT = 20
_LONGEST_SIGNATURE = 200
_MOST = 10_000
_MOST_SIGNATURES = 200  # more would be unread


class Match:
    __slots__ = ("text", "kind", "subject")

    def __init__(self, text: str, kind: str, subject: object = None) -> None:
        self.text = text
        self.kind = kind
        self.subject = subject  # a value, for its signature


def named(name: str, value: object) -> Match:
    """A variable or an attribute."""
    return Match(name, kind_of(value), value)


def kind_of(value: object) -> str:
    """In the words of IPython's completions, so that a client shows both alike."""
    cls = type(value)
    if is_one_of(_FUNCTIONS, cls):
        return "function"
    if issubclass(cls, type):
        return "class"
    if cls is property:
        return "property"
    return "instance" if names_in(value) is None else "module"


def answer(matches: "list[Match]", start: int, end: int) -> dict:
    """The form for the host."""
    kept = matches[:_MOST]
    reply: dict = {"matches": [match.text for match in kept], "start": start, "end": end}
    if kept:
        reply["details"] = [_detail(match, position < _MOST_SIGNATURES) for position, match in enumerate(kept)]
    return reply


def in_order(matches: "list[Match]") -> "list[Match]":
    """Each text once: arguments, then names, then those that begin with an underscore."""
    by_text = {match.text: match for match in reversed(matches)}
    return sorted(by_text.values(), key=lambda match: (match.kind != "param", match.text.startswith("_"), match.text))


def public_unless_asked(matches: "list[Match]", prefix: str) -> "list[Match]":
    return [
        match
        for match in matches
        if match.text.startswith(prefix) and (prefix.startswith("_") or not match.text.startswith("_"))
    ]


def _detail(match: Match, with_signature: bool) -> dict:
    text = attempt(_signature, match.subject) if with_signature and match.kind == "function" else None
    return {"kind": match.kind} if text is None else {"kind": match.kind, "signature": text}


def _signature(function) -> "str | None":
    """Parameters and simple defaults, without the annotations; builtins may have none."""
    if is_one_of((staticmethod, classmethod), type(function)):
        function = function.__func__
    parameters = list(signature(function).parameters.values())
    if parameters and parameters[0].name in ("self", "cls") and parameters[0].default is Parameter.empty:
        del parameters[0]
    text = plain("(%s)" % ", ".join(_written(parameters)))
    return text if len(text) <= _LONGEST_SIGNATURE else text[: _LONGEST_SIGNATURE - 2] + "…)"


def _written(parameters: "list[Parameter]") -> "list[str]":
    texts = []
    before = None
    for parameter in parameters:
        kind = parameter.kind
        if before is Parameter.POSITIONAL_ONLY and kind is not before:
            texts.append("/")
        if kind is Parameter.KEYWORD_ONLY and before not in (kind, Parameter.VAR_POSITIONAL):
            texts.append("*")
        stars = {Parameter.VAR_POSITIONAL: "*", Parameter.VAR_KEYWORD: "**"}.get(kind, "")
        default = "" if parameter.default is Parameter.empty else "=" + sketch(parameter.default, _LONGEST_DEFAULT)
        texts.append(stars + parameter.name + default)
        before = kind
    return texts + ["/"] if before is Parameter.POSITIONAL_ONLY else texts
