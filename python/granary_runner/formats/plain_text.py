"""The text of a value inside a display; a failure must not hide the rest."""

from __future__ import annotations

from .errors import describe


def plain_text(obj) -> str:
    try:
        return repr(obj)
    except Exception as error:
        return f"<{type(obj).__name__} object: repr failed: {describe(error)}>"
