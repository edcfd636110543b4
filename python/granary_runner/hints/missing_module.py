"""An import that failed: the package to install, or the file of the user's that hides the module."""

from __future__ import annotations

import os
import sys


_SHORTEST = 6


def hint(problem: ImportError) -> "str | None":
    """One line to add to the error; None if there is nothing to say."""
    name = problem.name
    if not isinstance(name, str) or not all(part.isidentifier() for part in name.split(".")):
        return None
    top = name.partition(".")[0]
    hiding = _hiding_file(top)
    if hiding is not None:
        return f"The file {hiding} hides another module of that name. Rename it, and import again in a fresh kernel."
    if not isinstance(problem, ModuleNotFoundError):
        return None
    dangling = _dangling_link(top)
    if dangling is not None:
        return dangling
    if top == name:
        return _remedy(name)
    own = _own_file(top)
    if own is not None:
        return f"Here, {top} is the file {own}. If you mean a package: rename the file, and import again in a fresh kernel."
    return _remedy(name)


def _dangling_link(top: str) -> "str | None":
    for path in (os.path.join(folder or ".", name) for folder in sys.path for name in (top, top + ".py")):
        if os.path.islink(path) and not os.path.exists(path):
            why = " The sandbox (python.sandbox) may hide it." if "GRANARY_SANDBOX" in os.environ else ""
            return f"{path} is a link to {os.path.realpath(path)}, which is not there.{why}"
    return None


def _remedy(name: str) -> "str | None":
    from .package_names import NAMESPACES, OWN, PACKAGES, REMOVED

    top = name.partition(".")[0]
    removed = REMOVED.get(top)
    if removed is not None:
        return removed
    known = next((PACKAGES[part] for part in _beginnings(name) if part in PACKAGES), None)
    if known is not None:
        return f"The package {known} has this module. To install it: %pip install {known}"
    if top.startswith("_") or top in OWN or _is_there(top):
        return None  # nothing that a package brings, or a part of something that is there
    meant = _meant(top)
    if meant is not None:
        return f"Did you mean: '{meant}'?"  # a package with almost the same name may be anyone's
    if top in NAMESPACES:
        return f"Several packages share the name {top}. To install one, such as {NAMESPACES[top]}: %pip install {NAMESPACES[top]}"
    return f"If it is a package, and not a file of your own: %pip install {top.replace('_', '-')}"


def _meant(top: str) -> "str | None":
    """A module of Python, or one that is imported already, whose long name differs in one letter: packages such as `lxml` do not."""
    from .suggestions import differs_in_one

    if len(top) < _SHORTEST:
        return None
    names = {name for name in (*_standard_names(), *sys.modules) if not name.startswith("_") and "." not in name}
    return next((name for name in sorted(names) if differs_in_one(top, name)), None)


def _own_file(top: str) -> "str | None":
    """The file in the working folder that is the module."""
    file = getattr(sys.modules.get(top), "__file__", None)
    if not isinstance(file, str) or os.path.dirname(os.path.abspath(file)) != os.path.abspath(os.getcwd()):
        return None
    return os.path.basename(file)


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
