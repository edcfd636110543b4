"""Magics that the user's code or an extension registered. They win over Granary's own of the same name."""

from __future__ import annotations

from .call import MagicCall

LINE: dict = {}
CELL: dict = {}


def register(function, kind: str, name: str) -> None:
    """`kind` is "line", "cell" or "line_cell", as in IPython."""
    if kind not in ("line", "cell", "line_cell"):
        raise ValueError(f"magic_kind must be line, cell or line_cell, not {kind!r}")
    if kind != "cell":
        LINE[name] = function
    if kind != "line":
        CELL[name] = function


def adapted(function):
    """The function as one that takes a `MagicCall`."""

    def run(call: MagicCall) -> object:
        is_verbatim = getattr(function, "_ipython_magic_no_var_expand", False)
        arguments = [call.text if is_verbatim else call.args]
        if call.is_cell:
            arguments.append(call.body)
        named = {"local_ns": call.seen} if getattr(function, "needs_local_scope", False) else {}
        return function(*arguments, **named)

    run.__doc__ = getattr(function, "__doc__", None)
    return run
