"""Modules that were imported ahead are out of sight until a cell imports them.

So a kernel finds in `sys.modules` what a fresh one would, and a package of the same name that comes first on `sys.path` is
imported as ever. Only packages from site-packages are hidden: Python's own library may be there.
"""

from __future__ import annotations

import sys

from . import matplotlib_settings, noted_imports, own_changes, variable_notes
from .noted_imports import top
from .origin import Origin, is_compiled, is_installed, origin_of

_modules: dict = {}  # top package -> {name: module}, of packages that no cell has imported yet
_origins: dict = {}  # top package -> where it came from
_shown: dict = {}  # top package -> its module, since a cell has imported it
_replaced: set = set()  # top packages that were imported ahead, and not used
# gevent patches ssl only where nobody has imported it. Others of Python's own modules stay in sight.
_LIKE_INSTALLED = ("ssl",)
is_in_use = False


def hide(names: set) -> None:
    """Take these modules out of sight, as far as they come from site-packages."""
    global is_in_use
    for name in names:
        # A package that was there before stays as it is, with what was added to it.
        if top(name) in names and _can_be_hidden(sys.modules.get(top(name)) or module(top(name))):
            _modules.setdefault(top(name), {})[name] = sys.modules.pop(name)
    for one, modules in _modules.items():
        _origins[one] = Origin(one, modules[one])
    if "matplotlib" in _modules:
        matplotlib_settings.remember(_modules["matplotlib"]["matplotlib"])
    if _modules:
        is_in_use = True
        sys.meta_path.insert(0, Finder())


def begin() -> None:
    """The kernel begins."""
    if is_in_use:
        variable_notes.begin()


def module(name: str):
    """A module that is out of sight, or None."""
    return _modules.get(top(name), {}).get(name)


def tops(names: set) -> "list[str]":
    return sorted({top(name) for name in names if not name.startswith("granary_runner")})


class Finder:
    """First in `sys.meta_path`: hands a hidden package on, unless an import would give something else by now."""

    def find_spec(self, name, path=None, target=None):
        modules = _modules.get(name)
        if modules is None:
            return None
        is_pure = not any(map(is_compiled, modules.values()))  # compiled modules load only once in a process
        if not _origins[name].is_found() or (is_pure and not all(map(_is_as_imported, _with_needs(name)))):
            _replaced.add(name)
            _modules.pop(name, None)
            return None
        hidden = modules[name]
        spec = type(hidden.__spec__)(name, None)
        spec.__dict__.update(hidden.__spec__.__dict__)
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
        variable_notes.warn(self._spec.name)
        show(self._spec.name)


def show(name: str) -> None:
    """Put a package back, and those that it imports, as far as an import would give the same. Threads may do so at once."""
    needed = _with_needs(name)
    others = [one for one in needed if not _is_as_imported(one, minds_hooks=False)]
    if others:
        _warn_of_others(name, others)
    for one in needed:
        modules = _modules.get(one)
        if modules is None or (one in others and one != name):
            continue
        for each in modules:
            sys.modules.setdefault(each, modules[each])
        _shown[one] = modules[one]
        _modules.pop(one, None)
        own_changes.make_again(one)
        if one == "matplotlib":
            matplotlib_settings.read_again(modules[one])


def _with_needs(name: str) -> "list[str]":
    """A package, and all that it imports, of those that were imported ahead."""
    found = [name]
    for one in found:  # which grows in the loop
        found += [need for need in noted_imports.needs.get(one, ()) if need in _origins and need not in found]
    return found


def _is_as_imported(name: str, minds_hooks: bool = True) -> bool:
    """Whether code that imports this package now would get what was imported ahead."""
    if name in _replaced:
        return False
    if name in _shown:
        return sys.modules.get(name) is _shown[name]
    modules = _modules.get(name, {})
    is_taken = any(sys.modules.get(each, module) is not module for each, module in modules.items())
    return not is_taken and _origins[name].is_same(minds_hooks)


def _warn_of_others(name: str, others: "list[str]") -> None:
    if others == [name]:
        what = "has changed since. Compiled modules load only once: start the session again to use what is installed now."
    else:
        names = ", ".join(one for one in sorted(others) if one != name)
        what = "still uses %s as installed then. Start the session again after an installation; else set python.preload to []." % names
    print("granary: %s was imported ahead (python.preload), and %s" % (name, what), file=sys.stderr)


def _can_be_hidden(module) -> bool:
    if getattr(module, "__name__", None) in _LIKE_INSTALLED:
        return True
    return is_installed(origin_of(module) or "")
