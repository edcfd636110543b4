"""`dict.fr*?`: the names that match a pattern."""

from __future__ import annotations

import builtins
from fnmatch import fnmatchcase

from ...questions.attempts import attempt

_MOST = 1000


def fitting_names(namespace: dict, pattern: str) -> list[str]:
    """Full names in order; private ones only if the pattern begins with an underscore."""
    if pattern.startswith("%"):
        from ..table import CELL_MAGICS, LINE_MAGICS

        mark = "%%" if pattern.startswith("%%") else "%"
        return _fitting(pattern[len(mark) :], CELL_MAGICS if mark == "%%" else LINE_MAGICS, mark)
    first, *rest = pattern.split(".")
    found = _fitting(first, {**vars(builtins), **namespace})
    for part in rest:
        owners = found[:_MOST]
        found = [name for owner in owners for name in _fitting(part, _attributes(namespace, owner), owner + ".")]
    return found


def _fitting(pattern: str, names, prefix: str = "") -> list[str]:
    private = pattern.startswith("_")
    return [
        prefix + name
        for name in sorted(name for name in names if isinstance(name, str))
        if fnmatchcase(name, pattern) and (private or "*" not in pattern or not name.startswith("_"))
    ]


def _attributes(namespace: dict, owner: str) -> list:
    from ...questions.inspection import look_up

    missing = object()
    value = look_up(namespace, owner, missing)
    return [] if value is missing else attempt(dir, value, otherwise=[])
