"""Magics and shell commands: their names, files for them, and Python inside them."""

from __future__ import annotations

import re

from ..magics import registered
from ..magics.table import CELL_MAGICS, LINE_MAGICS
from ..values.type_facts import texts
from .matches import Match, named, public_unless_asked
from .paths import paths_in_command
from .scanning import Scan

_SHELL = frozenset("system sx bash sh script cat cp mkdir mv rm rmdir ls ll la pip uv conda mamba writefile file".split())
_FILES = frozenset("load loadpy pycat run cd pushd edit".split())
_MODULES = frozenset("aimport load_ext reload_ext".split())
_PYTHON_CELLS = frozenset("time timeit capture prun debug memit mprun".split())
_NAME = re.compile(r"(%%?)(\w*)$")
_MAGIC = re.compile(r"(%%?)(\w+)\s")
_CELL_MAGIC = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*%%(\w+)[^\n]*\n")
_FIELD = re.compile(r"\{([^{}]*)$")
_VARIABLE = re.compile(r"(?<![\\$])\$((?:[^\W\d]\w*)?)$")


def other_language(before: str) -> "tuple[int, list[Match]] | None":
    """In the body of a cell magic that is not Python: files in shell scripts, nothing elsewhere."""
    match = _CELL_MAGIC.match(before)
    if match is None or match[1] in _PYTHON_CELLS or match[1] not in CELL_MAGICS:
        return None
    return paths_in_command(before.rpartition("\n")[2]) if match[1] in ("bash", "sh", "script", "system", "sx") else (0, [])


def complete_command(namespace: dict, before: str, start: int, behind: str, complete_python) -> "tuple[int, list[Match]]":
    command = before[start:]
    match = _NAME.match(command)
    if match is not None:
        return len(command), _magics(command, is_first_line=not _has_code(before[:start]))
    if command.startswith("!"):
        return _in_shell(namespace, command.lstrip("!"), behind, complete_python)
    match = _MAGIC.match(command)
    if match is None:
        return complete_python(namespace, Scan(command.lstrip("?")), behind)
    name, rest = match[2], command[match.end() :]
    if name in _SHELL:
        return _in_shell(namespace, rest, behind, complete_python)
    if name in _FILES:
        endings = (".py", ".ipy", ".ipynb") if name == "run" else None
        return paths_in_command(rest, endings, only_folders=name in ("cd", "pushd"))
    return complete_python(namespace, Scan("import " + rest if name in _MODULES else rest), behind)


def _has_code(before: str) -> bool:
    return any(line.strip() and not line.lstrip().startswith("#") for line in before.split("\n"))


def _magics(prefix: str, is_first_line: bool) -> "list[Match]":
    """`%ti` may become `%timeit`, and at the beginning of a cell `%%timeit`."""
    typed = prefix.lstrip("%")
    lines, cells = {**LINE_MAGICS, **registered.LINE}, {**CELL_MAGICS, **registered.CELL}
    names = ["%%" + name for name in cells if name.startswith(typed)] if is_first_line else []
    names += [] if prefix.startswith("%%") else ["%" + name for name in lines if name.startswith(typed)]
    return [Match(name, "magic") for name in names]


def _in_shell(namespace: dict, command: str, behind: str, complete_python) -> "tuple[int, list[Match]]":
    match = _VARIABLE.search(command)
    if match is not None:
        variables = [named(name, namespace[name]) for name in texts(list(namespace), len(namespace))]
        return len(match[1]), public_unless_asked(variables, match[1])
    match = _FIELD.search(command)
    if match is not None:
        return complete_python(namespace, Scan(match[1]), behind)
    return paths_in_command(command)
