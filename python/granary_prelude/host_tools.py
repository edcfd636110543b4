"""`tool.read(path="…")`: the tools of the host, called from Python."""

from __future__ import annotations

import sys

from . import ToolError
from .answers import NotAwaited, value_of
from .calls import Call
from .json_arguments import require_json

_LIST = ""  # no tool has this name: it asks the host for all of them

_interrupts = sys.modules.get("granary_runner.cells.interrupt")
if _interrupts is not None:
    _interrupts.guard(sys._getframe().f_code.co_filename)


class HostTool:
    """One of the host's tools. In code that awaits, await its result."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, *positional, **arguments):
        __tracebackhide__ = True  # as everywhere below, so that IPython shows only the user's lines
        if positional:
            raise TypeError(f"tool.{self.name}() takes its arguments by name: tool.help({self.name!r}) lists them")
        require_json(self.name, arguments)
        call = _call(self.name, arguments)
        if _awaits(sys._getframe(1)):
            return NotAwaited(self.name, call)
        return value_of(self.name, call.wait())

    def __repr__(self) -> str:
        return f"<the host's tool {self.name}; tool.help({self.name!r}) describes it>"


def names() -> "list[str]":
    __tracebackhide__ = True
    return [facts["name"] for facts in _facts()]


def describe(name: "str | None") -> str:
    __tracebackhide__ = True
    tools = _facts()
    if name is None:
        return "\n".join(f"{facts['name']}: {_first_line(facts['description'])}" for facts in tools)
    for facts in tools:
        if facts["name"] == name:
            return "\n".join([facts["description"], *_arguments(facts.get("inputSchema") or {})])
    raise ToolError(f"There is no tool {name}. There are: {', '.join(facts['name'] for facts in tools)}.", "unknown-tool")


def _facts() -> "list[dict]":
    __tracebackhide__ = True
    return value_of("names", _call(_LIST, {}).wait())


def _call(name: str, arguments: dict) -> Call:
    __tracebackhide__ = True
    from . import bridge

    if bridge.address() is not None:
        from . import http_calls as transport
    elif "granary_runner" in sys.modules:
        from granary_runner.wire import host_calls as transport
    else:
        raise ToolError(bridge.why_not(), "no-tools")
    return Call(transport, name, arguments)


_COROUTINE, _ASYNC_GENERATOR = 0x80, 0x200
_COMPREHENSIONS = frozenset(("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"))


def _awaits(frame) -> bool:
    """Whether the code that makes the call can await it. Before Python 3.12, comprehensions are functions in between."""
    while frame is not None and frame.f_code.co_name in _COMPREHENSIONS:
        frame = frame.f_back
    return frame is not None and bool(frame.f_code.co_flags & (_COROUTINE | _ASYNC_GENERATOR))


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0]


def _arguments(schema: dict) -> "list[str]":
    required = schema.get("required", ())
    return [
        f"  {name}: {_type(facts)}{'' if name in required else ' (optional)'}{_said(facts)}"
        for name, facts in schema.get("properties", {}).items()
    ]


def _type(facts: dict) -> str:
    if "enum" in facts:
        return " | ".join(map(repr, facts["enum"]))
    kind = facts.get("type", "any")
    return kind if isinstance(kind, str) else " | ".join(map(str, kind))


def _said(facts: dict) -> str:
    return f"  {_first_line(facts['description'])}" if facts.get("description") else ""
