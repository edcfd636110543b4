"""Module names after `import` and `from`, and names after `from module import`; nothing is imported to find them."""

from __future__ import annotations

import ast
import os
import pkgutil
import re
import sys
from importlib.machinery import PathFinder

from .magics.quiet_parse import statements

_MODULE = re.compile(r"\s*(?:from\s+|import\s+(?:[\w.]+(?:\s+as\s+\w+)?\s*,\s*)*)([\w.]*)$")
_MEMBER = re.compile(r"\s*from\s+([\w.]+)\s+import\s*\(?\s*(?:\w+(?:\s+as\s+\w+)?\s*,\s*)*(\w*)$")
_AFTER_MODULE = re.compile(r"\s*from\s+[\w.]+\s+(\w*)$")


def complete_import(line: str) -> tuple[str, list[str]] | None:
    """The prefix and its candidates, or None when the cursor is at no place for a module's or a member's name."""
    match = _MODULE.match(line)
    if match is not None:
        package, _, prefix = match[1].rpartition(".")
        return prefix, _submodules(package) if package else _top_level_modules()
    match = _AFTER_MODULE.match(line)
    if match is not None:
        return match[1], ["import"]
    match = _MEMBER.match(line)
    if match is not None:
        return match[2], _members(match[1]) + _submodules(match[1])
    return None


def _top_level_modules() -> list[str]:
    folders = [folder or os.getcwd() for folder in sys.path]
    return [*sys.builtin_module_names, *(module.name for module in pkgutil.iter_modules(folders))]


def _submodules(package: str) -> list[str]:
    folders = _folders_of(package)
    return [module.name for module in pkgutil.iter_modules(folders)] if folders else []


def _folders_of(package: str) -> list[str]:
    module = sys.modules.get(package)
    if module is not None:
        return list(getattr(module, "__path__", []))
    spec = _find(package)
    return list(spec.submodule_search_locations or []) if spec is not None else []


def _find(name: str):
    """The module's spec, found without importing the packages it is in."""
    parent, _, _ = name.rpartition(".")
    folders = _folders_of(parent) if parent else None
    if folders == []:
        return None
    try:
        return PathFinder.find_spec(name, folders)
    except (ImportError, ValueError):
        return None


def _members(name: str) -> list[str]:
    module = sys.modules.get(name)
    if module is not None:
        try:
            return [member for member in dir(module) if isinstance(member, str)]
        except Exception:
            return []
    spec = _find(name)
    try:
        return _defined_in(spec.loader.get_source(name))  # type: ignore[union-attr]
    except (AttributeError, ImportError, OSError, ValueError):
        return []


def _defined_in(source: str | None) -> list[str]:
    names: list[str] = []
    for node in statements(source or "") or []:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.append(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names += [alias.asname or alias.name.partition(".")[0] for alias in node.names]
        elif isinstance(node, ast.Assign):
            names += [target.id for target in node.targets if isinstance(target, ast.Name)]
    return names
