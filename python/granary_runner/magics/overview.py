"""%lsmagic, and help on names in the form of magics."""

from __future__ import annotations

from ..questions.inspection import describe
from . import registered, show_page
from .call import MagicCall
from .syntax.options import no_arguments
from .table import CELL_MAGICS, LINE_MAGICS


def _lsmagic(call: MagicCall) -> None:
    """List all magics."""
    no_arguments(call)
    print("Line magics:", " ".join("%" + name for name in sorted({**LINE_MAGICS, **registered.LINE})))
    print("Cell magics:", " ".join("%%" + name for name in sorted({**CELL_MAGICS, **registered.CELL})))
    print("Also: !command, x = !command, object?, object??, and `%name?` for help on a magic.")


def _help(detail: int):
    def show(call: MagicCall) -> None:
        text = describe(call.namespace, call.text, detail)
        show_page(text or f"Object `{call.text}` not found.")

    show.__doc__ = "The same as `object?`." if detail == 0 else "The same as `object??`."
    return show


LINE = {"lsmagic": _lsmagic, "pinfo": _help(0), "pinfo2": _help(1)}
CELL: dict = {}
