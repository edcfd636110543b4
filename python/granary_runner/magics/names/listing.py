"""%who and %whos: the names that the user defined."""

from __future__ import annotations

import sys

from ...cells import execute
from ..call import MagicCall
from ..syntax.options import Options
from .variable_summary import summarize

_NONE = "Interactive namespace is empty."


def _own_names(call: MagicCall) -> list[str]:
    """Names without a leading underscore; arguments, if any, are the types to keep."""
    wanted = set(Options(call, usage="[type …]").rest)
    variables = execute.namespace()
    shell = getattr(sys.modules.get("granary_runner.ipython_shell"), "_shell", None)
    hidden = () if shell is None else shell._hidden
    return sorted(
        name
        for name in list(variables)
        if not name.startswith("_") and name not in hidden and (not wanted or type(variables[name]).__name__ in wanted)
    )


def _who(call: MagicCall) -> None:
    """Print the names you have defined; `%who int str` keeps those types."""
    print("\t".join(_own_names(call)) or _NONE)


def _who_ls(call: MagicCall) -> list[str]:
    """The names you have defined, as a list."""
    return _own_names(call)


def _whos(call: MagicCall) -> None:
    """Print the names you have defined, with type and a summary of each value."""
    variables = execute.namespace()
    rows = [(name, type(variables[name]).__name__, summarize(variables[name])) for name in _own_names(call)]
    if not rows:
        print(_NONE)
        return
    heading = ("Variable", "Type", "Data/Info")
    widths = [max(len(row[column]) for row in [heading, *rows]) + 3 for column in (0, 1)]
    lines = [row[0].ljust(widths[0]) + row[1].ljust(widths[1]) + " " + row[2] for row in [heading, *rows]]
    lines.insert(1, "-" * len(lines[0]))
    print("\n".join(lines))


LINE = {"who": _who, "who_ls": _who_ls, "whos": _whos}
CELL: dict = {}
