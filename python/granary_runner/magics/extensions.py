"""%load_ext and %autoreload."""

from __future__ import annotations

from importlib.util import find_spec

from .. import autoreload
from .call import MagicCall
from .usage_error import UsageError

_MODES = {"0": 0, "off": 0, "1": 1, "explicit": 1, "2": 2, "all": 2, "3": 2, "complete": 2}


def _load_ext(call: MagicCall) -> None:
    """`%load_ext autoreload`; extensions of IPython need IPython itself."""
    name = call.args.strip()
    if name == "autoreload":
        return
    if not name:
        raise UsageError("%load_ext needs a name; the only extension here is autoreload.")
    remedy = "Extensions need IPython's own shell; the only one here is autoreload."
    if not _exists(name):
        raise UsageError(f"There is no extension {name}. {remedy}")
    raise UsageError(f"The extension {name} cannot be loaded. {remedy} Import what you need from {name} instead.")


def _exists(name: str) -> bool:
    try:
        return find_spec(name.partition(".")[0]) is not None
    except (ImportError, ValueError):
        return False


def _unload_ext(call: MagicCall) -> None:
    """`%unload_ext autoreload` switches it off."""
    name = call.args.strip()
    if name != "autoreload":
        raise UsageError(f"The extension {name} is not loaded." if name else "%unload_ext needs a name: autoreload.")
    autoreload.switch(0)


def _autoreload(call: MagicCall) -> None:
    """Before each cell, load edited modules anew: 2 all of them, 1 those named with %aimport, 0 none.

    Without an argument, do it once, now. Modules that come with Python or from an installation are left alone.
    """
    mode = call.args.strip().lower()
    if mode in ("", "now"):
        autoreload.reload_changed()
    elif mode in _MODES:
        autoreload.switch(_MODES[mode])
    else:
        raise UsageError(f"%autoreload understands 0, 1, 2 and 3, not {mode!r}.")


def _aimport(call: MagicCall) -> None:
    """Import modules and have %autoreload follow them; `-name` stops following."""
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
