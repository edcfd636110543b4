"""An import that failed: the package to install, or the file of the user's that hides the module."""

from __future__ import annotations

import os
import sys


def hint(problem: ImportError) -> "str | None":
    """One line to add to the error; None if there is nothing to say."""
    name = problem.name
    if not isinstance(name, str) or not all(part.isidentifier() for part in name.split(".")):
        return None
    hiding = _hiding_file(name.partition(".")[0])
    if hiding is not None:
        return f"The file {hiding} hides another module of that name. Rename it, and import again in a fresh kernel."
    return _remedy(name) if isinstance(problem, ModuleNotFoundError) else None


def _remedy(name: str) -> "str | None":
    from .package_names import OWN, PACKAGES, REMOVED

    top = name.partition(".")[0]
    removed = REMOVED.get(top)
    if removed is not None:
        return removed
    known = next((PACKAGES[part] for part in _beginnings(name) if part in PACKAGES), None)
    if known is not None:
        return f"The package {known} has this module. To install it: %pip install {known}"
    if top.startswith("_") or top in OWN or _is_there(top):
        return None  # nothing that a package brings, or a part of something that is there
    return f"If it is a package, and not a file of your own: %pip install {top.replace('_', '-')}"


def _is_there(top: str) -> bool:
    from importlib.util import find_spec

    try:
        return top in sys.modules or top in _standard_names() or find_spec(top) is not None
    except Exception:  # a finder of the user's
        return False


def _beginnings(name: str) -> "list[str]":
    """`google.cloud.storage`, `google.cloud`, `google`"""
    parts = name.split(".")
    return [".".join(parts[:count]) for count in range(len(parts), 0, -1)]


def _hiding_file(top: str) -> "str | None":
    """A file in the working folder that was imported in place of a module of Python or of a package."""
    module = sys.modules.get(top)
    file = getattr(module, "__file__", None) if module is not None else _file_in_folder(top)
    if not isinstance(file, str) or hasattr(module, "__path__"):
        return None
    folder = os.path.dirname(os.path.abspath(file))
    if folder != os.path.abspath(os.getcwd()):
        return None
    is_elsewhere = top in _standard_names() or _is_installed(top, folder)
    return os.path.basename(file) if is_elsewhere else None


def _file_in_folder(top: str) -> "str | None":
    """A module whose import failed is not in `sys.modules` any more."""
    file = os.path.join(os.getcwd(), top + ".py")
    return file if os.path.isfile(file) else None


def _is_installed(top: str, but_not: str) -> bool:
    folders = [folder for folder in sys.path if folder and os.path.abspath(folder) != but_not]
    return any(os.path.exists(os.path.join(folder, top + ending)) for folder in folders for ending in ("/__init__.py", ".py"))


def _standard_names() -> frozenset:
    names = getattr(sys, "stdlib_module_names", None)  # from Python 3.10 on
    return names if names is not None else frozenset(sys.builtin_module_names)
