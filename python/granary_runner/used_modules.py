"""Which installed modules the user's code has used, for `python.preload: auto`. Asked for when the kernel ends."""

from __future__ import annotations

import sys

# Not from `types`, whose import would be a part of every command's end.
ModuleType = type(sys)
BuiltinFunctionType = type(len)
FunctionType = type(lambda: None)
_MOST = 50


def names(namespace: dict) -> "list[str]":
    """The modules behind the user's names: `pd`, `plt`, `KMeans`. No code of the user's is run for it."""
    found: dict = {}
    for value in list(namespace.values()):
        name = _module_of(value)
        if name is not None:
            public = _public(name)
            if _is_installed(public):
                found[public] = True
    return list(found)[:_MOST]


def _module_of(value) -> "str | None":
    kind = type(value)  # isinstance() would ask the value for its class
    if issubclass(kind, ModuleType):
        name = _contents(value).get("__name__")
    elif issubclass(kind, type):
        name = type.__getattribute__(value, "__module__")
    elif kind in (FunctionType, BuiltinFunctionType):
        name = value.__module__
    else:
        return None
    return name if type(name) is str else None


def _contents(module) -> dict:
    """A lazy module would be loaded if it were asked for an attribute."""
    return ModuleType.__getattribute__(module, "__dict__")


def _public(name: str) -> str:
    """`sklearn.cluster._kmeans` is asked for as `sklearn.cluster`."""
    parts = name.split(".")
    private = [place for place, part in enumerate(parts) if part.startswith("_")]
    return ".".join(parts[: private[0]] if private else parts)


def _is_installed(name: str) -> bool:
    for each in (name, name.partition(".")[0]):
        module = sys.modules.get(each)
        spec = _contents(module).get("__spec__") if issubclass(type(module), ModuleType) else None
        origin = getattr(spec, "origin", None)
        if type(origin) is not str or not ("/site-packages/" in origin or "/dist-packages/" in origin):
            return False
    return True
