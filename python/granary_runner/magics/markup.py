"""%%html, %%markdown and others: the cell's body is shown as what it is."""

from __future__ import annotations

from .. import emit
from .call import MagicCall
from .options import FLAG, Options
from .usage_error import UsageError


def _shown_as(mime: str):
    known = {"--isolated": FLAG} if mime == "text/html" else {}

    def show(call: MagicCall) -> None:
        options = Options(call, known)
        options.refuse_rest()
        emit.display({mime: call.body}, {mime: {"isolated": True}} if "--isolated" in options else {})

    show.__doc__ = f"Show the cell as {mime}."
    return show


def _javascript(call: MagicCall) -> None:
    """Refused: there is no browser."""
    raise UsageError(
        f"%%{call.name} needs a browser, and there is none here. To run JavaScript with Node use: %%script node"
    )


LINE: dict = {}
CELL = {
    "html": _shown_as("text/html"),
    "HTML": _shown_as("text/html"),
    "markdown": _shown_as("text/markdown"),
    "latex": _shown_as("text/latex"),
    "svg": _shown_as("image/svg+xml"),
    "SVG": _shown_as("image/svg+xml"),
    "javascript": _javascript,
    "js": _javascript,
}
