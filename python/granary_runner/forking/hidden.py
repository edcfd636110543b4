"""Modules that were imported ahead are out of sight until a cell imports them.

So a kernel finds in `sys.modules` what a fresh one would, and a package of the same name that comes first on `sys.path` is
imported as ever. Only packages from site-packages are hidden: Python's own library may be there.
"""

from __future__ import annotations

import os
import sys

from . import own_changes

_modules: dict = {}  # top package -> {name: module}, of packages that no cell has imported yet
_needs: dict = {}  # top package -> the top packages that it imports
_birth: dict = {}  # the environment variables when the kernel began
_read: set = set()  # the variables that modules read while they were imported ahead
_READ_BY_C = ("OMP_", "GOMP_", "KMP_", "MKL_", "OPENBLAS_", "GOTO_", "BLIS_", "NPY_", "ARROW_", "TF_", "CUDA_")
# gevent patches ssl only where nobody has imported it. Others of Python's own modules stay in sight.
_LIKE_INSTALLED = ("ssl",)
is_in_use = False


class Watch:
    """While modules are imported ahead: notes which package imports which."""

    def __enter__(self) -> "Watch":
        import builtins

        self._before = set(sys.modules)
        self._known: set = set()
        self._builtins = builtins
        self.import_unnoted = builtins.__import__
        builtins.__import__ = self._noting
        self._variables = os.environ._data
        os.environ._data = _NotingDict(self._variables)
        return self

    def __exit__(self, *_) -> None:
        self._builtins.__import__ = self.import_unnoted
        self._variables.clear()
        self._variables.update(os.environ._data)
        os.environ._data = self._variables

    def imported(self, name: str) -> None:
        """C code imports without `__import__`: what came first with this module belongs to it."""
        added = self.added()
        _needs.setdefault(_top(name), set()).update(_top(other) for other in added - self._known)
        self._known = added

    def added(self) -> set:
        return set(sys.modules) - self._before

    def _noting(self, name, globals=None, locals=None, fromlist=(), level=0):
        module = self.import_unnoted(name, globals, locals, fromlist, level)
        if level == 0 and globals:
            importer = _top(globals.get("__name__") or "")
            _needs.setdefault(importer, set()).add(_top(name))
        return module


class _NotingDict(dict):
    """The variables behind `os.environ`: notes which are asked for."""

    def __getitem__(self, name):
        _read.add(os.fsdecode(name))
        return dict.__getitem__(self, name)


def hide(names: set) -> None:
    """Take these modules out of sight, as far as they come from site-packages."""
    global is_in_use
    for name in names:
        top = _top(name)
        # A package that was there before stays as it is, with what was added to it.
        if top in names and _is_installed(sys.modules.get(top) or _modules.get(top, {}).get(top)):
            _modules.setdefault(top, {})[name] = sys.modules.pop(name)
    if _modules:
        is_in_use = True
        sys.meta_path.insert(0, Finder())


def begin() -> None:
    """The kernel begins. What the host changes before the first cell of the user's is no concern of theirs."""
    if is_in_use:
        from ..cells import execute

        execute.before_cell.append(_remember_variables)


def _remember_variables() -> None:
    if not _birth:
        _birth.update(os.environ)


def module(name: str):
    """A module that is out of sight, or None."""
    return _modules.get(_top(name), {}).get(name)


def tops(names: set) -> "list[str]":
    return sorted({_top(name) for name in names if not name.startswith("granary_runner")})


class Finder:
    """First in `sys.meta_path`: hands a hidden package on, unless another one of that name would be found now."""

    def find_spec(self, name, path=None, target=None):
        if name not in _modules:
            return None
        hidden = _modules[name][name]
        original = hidden.__spec__
        found = _find_elsewhere(name)
        if found is None or found.origin != original.origin or _is_for_a_hook(name, found, original):
            del _modules[name]
            return None
        spec = type(original)(name, None)
        spec.__dict__.update(original.__dict__)
        spec.loader = _Loader(hidden)
        return spec


class _Loader:
    """The module's own loader, but for the step in which the module's code would run."""

    def __init__(self, module) -> None:
        self._module = module
        self._spec = module.__spec__
        self._loader = getattr(module, "__loader__", None)

    def __getattr__(self, name):
        if name == "_loader":  # not there yet while being copied or unpickled
            raise AttributeError(name)
        return getattr(self._loader, name)

    def create_module(self, _spec):
        return self._module

    def exec_module(self, module) -> None:
        module.__spec__ = self._spec
        module.__loader__ = self._loader
        _warn_of_variables(self._spec.name)
        show(self._spec.name)


def show(top: str) -> None:
    """Put a package back, and those that it imports."""
    waiting = [top]
    while waiting:
        one = waiting.pop()
        modules = _modules.pop(one, None)
        if modules is not None:
            sys.modules.update(modules)
            own_changes.make_again(one)
            waiting += _needs.get(one, ())


def _find_elsewhere(name: str):
    for finder in sys.meta_path:
        if isinstance(finder, Finder) or not hasattr(finder, "find_spec"):
            continue
        spec = finder.find_spec(name, None, None)
        if spec is not None:
            return spec
    return None


def _is_for_a_hook(name: str, found, original) -> bool:
    """An import hook of the user's (beartype, typeguard) has a loader of its own. Compiled modules load only once in a process."""
    from ..import_hooks import PatchingLoader

    loader = found.loader._loader if isinstance(found.loader, PatchingLoader) else found.loader
    if type(loader) is type(original.loader):
        return False
    return not any((_origin(module) or "").endswith(".so") for module in _modules[name].values())


def _warn_of_variables(name: str) -> None:
    """A library may read variables while it is imported, and this one was imported before the cell could set them."""
    names = [key for key in _birth.keys() | os.environ.keys() if (key in _read or key.startswith(_READ_BY_C)) and not own_changes.is_variable(key)]
    changed = [key for key in names if _birth.get(key) != os.environ.get(key)]
    if _birth and changed:
        print(
            "granary: %s was imported ahead (python.preload), before %s changed. If it reads such a variable while it is "
            "imported, set that before the kernel starts, or set python.preload to []." % (name, ", ".join(sorted(changed)[:5])),
            file=sys.stderr,
        )
        _birth.clear()
        _birth.update(os.environ)  # once is enough


def _top(name: str) -> str:
    return name.partition(".")[0]


def _is_installed(module) -> bool:
    origin = _origin(module) or ""
    if getattr(module, "__name__", None) in _LIKE_INSTALLED:
        return True
    return "/site-packages/" in origin or "/dist-packages/" in origin


def _origin(module) -> "str | None":
    origin = getattr(getattr(module, "__spec__", None), "origin", None)
    return origin if type(origin) is str else None
