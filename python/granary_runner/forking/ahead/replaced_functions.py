"""Functions and classes of Python's own modules that an installed package has replaced by its own (monkey patching)."""

from __future__ import annotations

import sys

from . import own_changes
from .origin import is_pythons, origin_of

_FUNCTION = type(lambda: None)

_are_pythons: dict = {}  # module -> whether it is one of Python's own


def names() -> "list[str]":
    found = []
    for name, module in list(sys.modules.items()):
        if not _is_pythons(name, module):
            continue
        for attribute, value in list(vars(module).items()):
            if type(value) in (_FUNCTION, type) and _is_installed(value.__module__, name):
                found.append("%s.%s" % (name, attribute))
    return sorted(found)


def _is_installed(owner, name: str) -> bool:
    if owner == name or type(owner) is not str or owner.startswith(("granary_", own_changes.TYPING)):
        return False
    return owner in sys.modules and not _is_pythons(owner, sys.modules[owner])


def _is_pythons(name: str, module) -> bool:
    if name not in _are_pythons:
        origin = origin_of(module) or ""
        is_builtin = name in sys.builtin_module_names or origin == "frozen"
        _are_pythons[name] = type(module) is type(sys) and (is_pythons(origin) or is_builtin)
    return _are_pythons[name]
