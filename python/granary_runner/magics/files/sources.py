"""%pdoc, %psource, %pfile, %pdef and %psearch: parts of the answer to `object?`."""

from __future__ import annotations

import inspect

from ...questions.inspection import look_up
from .. import show_page
from ..call import MagicCall
from ..syntax.usage_error import UsageError

_MISSING = object()


def _shown(part, what: str):
    def show(call: MagicCall) -> None:
        name = call.args.strip()
        if not name:
            raise UsageError(f"%{call.name} needs the name of an object.")
        value = look_up(call.namespace, name, _MISSING)
        if value is _MISSING:
            raise UsageError(f"%{call.name}: {name} is not defined.")
        try:
            text = part(name, value)
        except (TypeError, ValueError, OSError):
            text = None
        show_page(text or f"No {what} found for {name}.")

    show.__doc__ = f"Show the {what} of an object."
    return show


def _definition(name: str, value) -> str:
    return name + str(inspect.signature(value))


def _psearch(call: MagicCall) -> None:
    """List the names that fit a pattern: `%psearch dict.fr*`."""
    from ..syntax.name_search import fitting_names

    pattern = call.text.strip()
    if not pattern:
        raise UsageError("%psearch needs a pattern, for example: %psearch dict.fr*")
    show_page("\n".join(fitting_names(call.namespace, pattern)) or f"No name fits `{pattern}`.")


LINE = {
    "pdef": _shown(_definition, "signature"),
    "pdoc": _shown(lambda name, value: inspect.getdoc(value), "documentation"),
    "pfile": _shown(lambda name, value: inspect.getsource(inspect.getmodule(value)), "file"),
    "psearch": _psearch,
    "psource": _shown(lambda name, value: inspect.getsource(value), "source"),
}
CELL: dict = {}
