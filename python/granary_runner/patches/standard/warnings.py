"""A warning that points to a line of Granary, because `stacklevel` goes beyond the cell, shows the line of the cell instead."""

from __future__ import annotations

import sys


def apply(warnings) -> None:
    plain = getattr(warnings, "_formatwarnmsg_impl", None)
    if plain is None:
        return

    def format_message(message) -> str:
        from ...cells.errors import OURS

        if not str(message.filename).startswith(OURS):
            return plain(message)
        cell = _running_line()
        if cell is None:  # a figure is drawn after the last line
            return f"{message.category.__name__}: {message.message}\n"
        file, line = cell
        own = warnings.WarningMessage(message.message, message.category, file, line, source=message.source)
        return plain(own)

    warnings._formatwarnmsg_impl = format_message


def _running_line() -> "tuple[str, int] | None":
    from ...cells.main_module import sources

    frame = sys._getframe()
    while frame is not None:
        if frame.f_code.co_filename in sources:
            return frame.f_code.co_filename, frame.f_lineno
        frame = frame.f_back
    return None
