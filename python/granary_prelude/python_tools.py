"""`@tool`: a Python function that the agent can call. `docs/bridge.md` is the manual."""

from __future__ import annotations

import builtins
import inspect
import json
import re
import typing

from .hint_kinds import Kind, kind_of, take_named
from .json_arguments import is_json

MIME = "application/x-granary-host"  # for the host alone; never shown

_offers: "dict[str, Offer]" = {}


class ToolsOffered(Exception):
    """The message is for the host: all tools, as JSON."""


class Offer:
    def __init__(self, function, name: str, description: str) -> None:
        self.function = function
        self.name = name
        self.kinds, self.required, properties = _parameters(function, name)
        self.facts = {
            "name": name,
            "description": description,
            "inputSchema": {
                "type": "object",
                "properties": properties,
                "required": self.required,
                "additionalProperties": False,
            },
            "awaits": inspect.iscoroutinefunction(function),
        }

    def arguments(self, text: str) -> dict:
        __tracebackhide__ = True
        try:
            return take_named(self.kinds, self.required, json.loads(text))
        except TypeError as problem:
            raise TypeError(f"{self.name}: {problem}") from None


def offer(function, name: "str | None" = None, description: "str | None" = None):
    """Offer a function to the agent; replaces one of the same name."""
    if not inspect.isfunction(function):
        raise TypeError(f"@tool marks functions, and {function!r} is none; write: @tool above def name(…):")
    name = name or function.__name__
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]{0,63}", name):
        raise TypeError(f"{name!r} is no name for a tool: letters, digits, _ and -; write: @tool(name='…')")
    said = description or inspect.getdoc(function) or f"The Python function {name} of this session."
    _offers[name] = Offer(function, name, said)
    _tell_host({"op": "tools", "tools": facts()})
    return function


def facts() -> "list[dict]":
    return [each.facts for each in _offers.values()]


def report() -> None:
    """Reported with an exception, because nothing else of an internal cell reaches the host."""
    if _offers:
        raise ToolsOffered(json.dumps(facts()))


def call(name: str, arguments: str) -> None:
    """Call one of them and return its value; from a cell that the host made."""
    __tracebackhide__ = True  # as below, so that IPython shows only the user's lines
    wanted = _wanted(name)
    _hand_back(wanted.function(**wanted.arguments(arguments)))


async def call_and_await(name: str, arguments: str) -> None:
    __tracebackhide__ = True
    wanted = _wanted(name)
    _hand_back(await wanted.function(**wanted.arguments(arguments)))


def _wanted(name: str) -> Offer:
    __tracebackhide__ = True
    if name not in _offers:
        raise LookupError(f"There is no Python tool {name}. There are: {', '.join(_offers) or 'none'}.")
    return _offers[name]


def _hand_back(value) -> None:
    plain = _plain(value)
    if is_json(plain):
        _tell_host({"op": "returned", "value": plain})
    else:
        builtins.display(value)  # any value can be shown


def _plain(value):
    import dataclasses

    is_instance = dataclasses.is_dataclass(value) and not isinstance(value, type)
    return dataclasses.asdict(value) if is_instance else value


def _tell_host(news: dict) -> None:
    display = getattr(builtins, "display", None)
    if display is not None:  # else we are in a child process without a host
        display({MIME: news}, raw=True)


def _parameters(function, name: str) -> "tuple[dict[str, Kind], list[str], dict]":
    hints = _hints(function, name)
    kinds, required, properties = {}, [], {}
    for parameter in inspect.signature(function).parameters.values():
        where = f"tool {name}: the parameter {parameter.name}"
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            raise TypeError(f"{where} cannot be given by name, as agents do; write it without * and before no /")
        if parameter.name not in hints:
            raise TypeError(f"{where} has no type hint, so no agent knows what to send; write {parameter.name}: str")
        kind = kind_of(hints[parameter.name], where)
        kinds[parameter.name] = kind
        properties[parameter.name] = kind.schema
        if parameter.default is parameter.empty:
            required.append(parameter.name)
        elif is_json(parameter.default):
            properties[parameter.name] = {**kind.schema, "default": parameter.default}
    return kinds, required, properties


def _hints(function, name: str) -> dict:
    options = {"include_extras": True} if hasattr(typing, "Annotated") else {}
    try:
        return typing.get_type_hints(function, **options)
    except Exception as problem:
        raise TypeError(f"tool {name}: its type hints cannot be read ({problem})") from problem
