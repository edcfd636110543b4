"""%save: cells of this session as a file."""

from __future__ import annotations

import os

from ...cells import execute
from ..call import MagicCall
from ..syntax.options import FLAG, Options

_OPTIONS = {"-a": FLAG, "-f": FLAG, "-r": FLAG}
_USAGE = "[-a] [-f] file [RANGE …]"
_HEADING = "# coding: utf-8\n"


def _save(call: MagicCall) -> None:
    """Write cells of this session into a Python file: `%save [-a] [-f] file [RANGE …]`, where a range is 3 or 2-5.

    Without a range, all cells before this one. -a appends, -f overwrites a file; -r is accepted: cells are written as typed.
    """
    from ...ipython_shell.history import ranges

    options = Options(call, _OPTIONS, _USAGE)
    if not options.rest:
        raise options.error("%save needs a file.")
    path = os.path.expanduser(options.rest[0])
    if not path.endswith((".py", ".ipy")):
        path += ".ipy" if "-r" in options else ".py"
    try:
        parts = list(ranges(" ".join(options.rest[1:])))
    except ValueError as problem:
        raise options.error(f"%save: {problem}.") from None
    if os.path.exists(path) and not {"-a", "-f"} & set(options.given):
        raise options.error(f"%save: {path} exists. -f overwrites it, -a appends.")
    sources = [source for start, stop in parts or [(1, len(execute.inputs) - 1)] for source in execute.inputs[max(start, 1) : stop]]
    text = "".join(source if source.endswith("\n") else source + "\n" for source in sources if source)
    is_new = "-a" not in options or not os.path.exists(path)
    with open(path, "w" if is_new else "a", encoding="utf-8") as file:
        file.write(_HEADING + text if is_new else text)
    print(f"The following commands were written to file `{path}`:\n{text}", end="")


LINE = {"save": _save}
CELL: dict = {}
