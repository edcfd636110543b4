"""%load_ext and %autoreload."""

from __future__ import annotations

from ..call import MagicCall
from ..syntax.options import Options
from ..syntax.usage_error import UsageError
from . import autoreload

_BUILT_IN = ("autoreload", "storemagic")
_loaded: set = set()  # of the built-in ones
_MODES = {"0": 0, "off": 0, "1": 1, "explicit": 1, "2": 2, "all": 2, "3": 2, "complete": 2}


class MissingExtension(UsageError, ModuleNotFoundError):
    """Code that tries an optional extension catches either of the two."""

    __module__ = "builtins"


MissingExtension.__name__ = "ModuleNotFoundError"  # the name for tracebacks and hosts


def _load_ext(call: MagicCall) -> None:
    """Load an extension, a module whose `load_ipython_extension` registers magics: `%load_ext Cython`.

    autoreload and storemagic are built in. A loaded extension stays unchanged; %reload_ext reads it again.
    """
    name = _name(call)
    if name in _BUILT_IN:
        if name in _loaded and call.name == "load_ext":
            _say_loaded(name)
        _loaded.add(name)
        return
    manager = _manager()
    try:
        outcome = manager.reload_extension(name) if call.name == "reload_ext" else manager.load_extension(name)
    except ModuleNotFoundError as problem:
        if problem.name not in (name, name.partition(".")[0]):
            raise
        raise MissingExtension(f"There is no extension {name}: no module has that name. Install it with: %pip install …") from None
    if outcome == "already loaded":
        _say_loaded(name)
    elif outcome == "no load function":
        raise UsageError(f"{name} is no extension: it has no load_ipython_extension. Write: import {name}")


def _say_loaded(name: str) -> None:
    print(f"The {name} extension is already loaded. To reload it, use:\n  %reload_ext {name}")


def _unload_ext(call: MagicCall) -> None:
    """`%unload_ext autoreload` turns it off; other extensions remove their additions themselves."""
    name = _name(call)
    if name == "autoreload":
        autoreload.switch(0)
        _loaded.discard(name)
        return
    outcome = _manager().unload_extension(name)
    if outcome is not None:
        problem = "is not loaded" if outcome == "not loaded" else "cannot be unloaded"
        raise UsageError(f"The extension {name} {problem}.")


def _name(call: MagicCall) -> str:
    words = Options(call, usage="module").rest
    if len(words) != 1:
        raise UsageError(f"%{call.name} needs the name of one extension, for example: %{call.name} autoreload")
    return words[0]


def _manager():
    from ...ipython_shell import get_ipython

    return get_ipython().extension_manager


def _autoreload(call: MagicCall) -> None:
    """Before each cell, reload edited modules: 2 all of them, 1 those named with %aimport, 0 none.

    Without an argument, do it once, now. Modules that come with Python or from an installation are not reloaded.
    """
    mode = call.args.strip().lower()
    if mode in ("", "now"):
        autoreload.reload_changed()
    elif mode in _MODES:
        autoreload.switch(_MODES[mode])
    else:
        raise UsageError(f"%autoreload understands 0, 1, 2 and 3, not {mode!r}.")


def _aimport(call: MagicCall) -> None:
    """Import modules and let %autoreload follow them; `-name` stops following."""
    names = call.args.replace(",", " ").split()
    if not names:
        print("Followed: " + (" ".join(sorted(autoreload.followed)) or "every module that is not installed"))
    for name in names:
        if name.startswith("-"):
            autoreload.leave_alone(name[1:])
        else:
            module = autoreload.follow(name)
            call.namespace[name.partition(".")[0]] = module


LINE = {
    "load_ext": _load_ext,
    "reload_ext": _load_ext,
    "unload_ext": _unload_ext,
    "autoreload": _autoreload,
    "aimport": _aimport,
}
CELL: dict = {}
