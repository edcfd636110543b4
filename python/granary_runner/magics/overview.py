"""%lsmagic, %magic, and help on names in the form of magics."""

from __future__ import annotations

from ..questions.inspection import describe
from . import registered, show_page
from .call import MagicCall
from .syntax.options import FLAG, Options, no_arguments
from .table import CELL_MAGICS, LINE_MAGICS, describe_magic


class Listing(str):
    """A text, shown without quotes."""

    def _repr_pretty_(self, printer, cycle: bool) -> None:
        printer.text(str(self))

    __repr__ = str.__str__


def _lsmagic(call: MagicCall):
    """List all magics: `%lsmagic [--json]`; --json gives names by kind, and the file of each."""
    options = Options(call, {"--json": FLAG}, "[--json]")
    options.refuse_rest()
    lines, cells = {**LINE_MAGICS, **registered.LINE}, {**CELL_MAGICS, **registered.CELL}
    if "--json" in options:
        return {kind: {name: _origin(known[name]) for name in sorted(known)} for kind, known in (("line", lines), ("cell", cells))}
    return Listing(
        "Available line magics:\n%s\n\nAvailable cell magics:\n%s\n\n"
        "Also: !command, x = !command, object?, object??, and `%%name?` for help on a magic."
        % ("  ".join("%" + name for name in sorted(lines)), "  ".join("%%" + name for name in sorted(cells)))
    )


def _origin(entry) -> str:
    """The file of our own magics, the function of registered ones."""
    return entry if isinstance(entry, str) else getattr(entry, "__module__", "") or ""


def _magic(call: MagicCall) -> None:
    """Show what every magic does."""
    no_arguments(call)
    names = ["%" + name for name in sorted(LINE_MAGICS)] + ["%%" + name for name in sorted(CELL_MAGICS)]
    texts = [describe_magic(name) or name for name in names]
    show_page("Available magics, as in IPython. %lsmagic lists their names.\n\n" + "\n\n".join(texts))


def _help(detail: int):
    def show(call: MagicCall) -> None:
        text = describe(call.namespace, call.text, detail)
        show_page(text or f"Object `{call.text}` not found.")

    show.__doc__ = "The same as `object?`." if detail == 0 else "The same as `object??`."
    return show


LINE = {"lsmagic": _lsmagic, "magic": _magic, "pinfo": _help(0), "pinfo2": _help(1)}
CELL: dict = {}
