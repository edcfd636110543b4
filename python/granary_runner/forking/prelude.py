"""The prelude in a warm interpreter: compiled and loaded once, so that its kernels share it. The host sends its texts."""

from __future__ import annotations

_names: dict = {}  # of granary_prelude/boot.py


def load(texts: dict) -> None:
    """In the warm interpreter. Nothing of a kernel is known yet: neither its folder nor its variables."""
    _names["__name__"] = "granary_prelude.boot"
    exec(compile(texts["boot"], "<granary>/granary_prelude/boot.py", "exec", 0, True), _names)
    _names["_provide"](texts["package"], texts["packedModules"])


def start(*given) -> None:
    """In a kernel: what the host would otherwise send with all texts."""
    _names["start"](None, None, *given)
