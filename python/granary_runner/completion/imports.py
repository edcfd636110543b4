"""Module names after `import` and `from`, and names after `from module import`; nothing is imported to find them."""

from __future__ import annotations

import ast
import os
import pkgutil
import re
import sys
from importlib.machinery import PathFinder
from inspect import getattr_static

from ..magics.syntax.quiet_parse import statements
from ..questions.attempts import attempt
from ..values.type_facts import names_in, texts
from .matches import Match, named

_MODULE = re.compile(r"\s*(?:from\s+|import\s+(?:[\w.]+(?:\s+as\s+\w+)?\s*,\s*)*)([\w.]*)$")
_MEMBER = re.compile(r"\s*from\s+([\w.]+)\s+import\s*\(?\s*(?:\w+(?:\s+as\s+\w+)?\s*,\s*)*(\w*)$")
_AFTER_MODULE = re.compile(r"\s*from\s+[\w.]+\s+(\w*)$")


def complete_import(line: str) -> "tuple[str, list[Match]] | None":
    """The prefix and its candidates, or None if the cursor is not at the name of a module or member."""
    match = _MODULE.match(line)
    if match is not None:
        package, _, prefix = match[1].rpartition(".")
        return prefix, _modules(_submodules(package) if package else _top_level_modules())
    match = _AFTER_MODULE.match(line)
    if match is not None:
        return match[1], [Match("import", "keyword")]
    match = _MEMBER.match(line)
    if match is not None:
        return match[2], members(match[1])
    return None


def _modules(names: list[str]) -> list[Match]:
    return [Match(name, "module") for name in names]


def _top_level_modules() -> list[str]:
    return [*sys.builtin_module_names, *_modules_in([folder or "." for folder in sys.path])]


def _submodules(package: str) -> list[str]:
    beginning = package + "."
    loaded = [name for name in texts(list(sys.modules), len(sys.modules)) if name.startswith(beginning)]
    inside = [name[len(beginning) :].partition(".")[0] for name in loaded]
    return inside + _modules_in(attempt(_folders_of, package) or [])


def _modules_in(folders: list) -> list[str]:
    """Modules of each folder, separately: an entry of `sys.path`, or its hook, may be anything."""
    return [name for folder in folders if type(folder) is str for name in attempt(_listed, folder) or []]


def _listed(folder: str) -> list[str]:
    return [module.name for module in pkgutil.iter_modules([os.path.abspath(folder)])]


def _folders_of(package: str) -> list[str]:
    """The folders of a package's submodules, found without importing the package or its parents."""
    folders: list[str] = sys.path
    name = ""
    for part in package.split("."):
        name += part
        spec = None
        loaded = names_in(sys.modules.get(name))
        if loaded is None:
            spec = PathFinder.find_spec(name, folders)
        inner = loaded.get("__path__") if loaded is not None else spec and spec.submodule_search_locations
        if not inner:
            return []
        folders = list(inner)
        name += "."
    return folders


def members(name: str) -> list[Match]:
    """Importable names of a module: its members and its submodules."""
    module = sys.modules.get(name)
    found = attempt(_defined_by, name) or [] if names_in(module) is None else names_of_module(module)
    return found + _modules(_submodules(name))


def names_of_module(module: object) -> list[Match]:
    """Its names, and those that its own `__dir__` adds; does not trigger a lazy module."""
    names = names_in(module) or {}
    told = attempt(_told_by, module, names) or []
    return [named(name, names[name]) for name in texts(list(names))] + [Match(name, "") for name in told if name not in names]


def _told_by(module: object, names: dict) -> list[str]:
    if "__dir__" in names:
        return texts(names["__dir__"]())
    of_its_class = getattr_static(type(module), "__dir__")
    return [] if of_its_class is type(sys).__dict__["__dir__"] else texts(of_its_class(module))


def _defined_by(name: str) -> list[Match]:
    package = name.rpartition(".")[0]
    spec = PathFinder.find_spec(name, _folders_of(package) if package else None)
    return _defined_in(spec.loader.get_source(name))  # type: ignore[union-attr]


def _defined_in(source: str | None) -> list[Match]:
    found: list[Match] = []
    for node in statements(source or "") or []:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found.append(Match(node.name, "function"))
        elif isinstance(node, ast.ClassDef):
            found.append(Match(node.name, "class"))
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found += [Match(alias.asname or alias.name.partition(".")[0], "") for alias in node.names]
        elif isinstance(node, ast.Assign):
            found += [Match(target.id, "instance") for target in node.targets if isinstance(target, ast.Name)]
    return found
