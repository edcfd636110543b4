"""%precision: the number of digits of shown floats."""

from __future__ import annotations

import sys

from .. import pretty
from ..pretty.printers import by_repr

NUMPYS_OWN = 8


def use(wanted) -> str:
    """Show floats with a number of digits or a format such as "%.3e"; nothing restores Python's own form. Returns the format."""
    form = _format(wanted)
    pretty.BY_TYPE[float] = by_repr if form == "%r" else _shown_as(form)
    numpy = sys.modules.get("numpy")
    if numpy is not None and hasattr(numpy, "set_printoptions"):
        digits = wanted if isinstance(wanted, int) else int(wanted) if str(wanted).isdigit() else NUMPYS_OWN
        numpy.set_printoptions(precision=digits)
    return form


def _format(wanted) -> str:
    text = str(wanted).strip()
    if not text:
        return "%r"
    if "%" in text:
        try:
            text % 3.14159
        except (TypeError, ValueError):
            raise ValueError("Precision must be a number of digits or a format such as %%.3e, not %r" % wanted) from None
        return text
    if not text.isdigit():
        raise ValueError("Precision must be a number of digits or a format such as %%.3e, not %r" % wanted)
    return "%%.%df" % int(text)


def _shown_as(form: str):
    def show(obj, p, cycle) -> None:
        p.text(form % obj)

    return show
