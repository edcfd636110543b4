"""%alias_magic: another name for a magic."""

from __future__ import annotations

from .. import registered
from ..call import MagicCall
from ..syntax.options import FLAG, VALUE, Options
from ..syntax.usage_error import UsageError

_OPTIONS = {"-l": FLAG, "--line": FLAG, "-c": FLAG, "--cell": FLAG, "-p": VALUE, "--params": VALUE}


def _alias_magic(call: MagicCall) -> None:
    """Give a magic another name: `%alias_magic [-l] [-c] [-p TEXT] name magic`.

    -l makes a line magic, -c a cell magic, neither makes both if they exist; -p adds a text before the arguments.
    """
    from ...ipython_shell.magic_access import finder
    from ..table import CELL_MAGICS, LINE_MAGICS

    options = Options(call, _OPTIONS, "[-l] [-c] [-p TEXT] name magic")
    if len(options.rest) != 2:
        raise options.error("%alias_magic needs a name and a magic.")
    name, target = (word.lstrip("%") for word in options.rest)
    before = options.given.get("-p") or options.given.get("--params") or ""
    asked = {kind for kind in ("line", "cell") if "-" + kind[0] in options or "--" + kind in options}
    known = {"line": {**LINE_MAGICS, **registered.LINE}, "cell": {**CELL_MAGICS, **registered.CELL}}
    kinds = [kind for kind in ("line", "cell") if (not asked or kind in asked) and target in known[kind]]
    if not kinds or not asked <= set(kinds):
        mark = "%%" if asked == {"cell"} else "%"
        raise UsageError(f"%alias_magic: there is no magic {mark}{target}. %lsmagic lists all.")
    for kind in kinds:
        registered.register(_preceded(before, finder(kind, target)), kind, name)
        mark = "%" if kind == "line" else "%%"
        print(f"Created `{mark}{name}` as an alias for `{mark}{target}{' ' + before if before else ''}`.")


def _preceded(before: str, function):
    def run(line="", *cell):
        return function(" ".join(part for part in (before, line) if part), *cell)

    run.__doc__ = function.__doc__
    run._ipython_magic_no_var_expand = True  # the magic itself expands its arguments
    return run


LINE = {"alias_magic": _alias_magic}
CELL: dict = {}
