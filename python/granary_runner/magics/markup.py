"""%%html, %%markdown and others: show the cell's body in that format."""

from __future__ import annotations

from ..wire import emit
from .call import MagicCall
from .syntax.options import FLAG, Options


def _shown_as(mime: str, name: str):
    known = {"--isolated": FLAG} if mime == "text/html" else {}
    # IPython stores this text beside it, so a notebook that runs again keeps its outputs.
    plain = f"<IPython.core.display.{name} object>"

    def show(call: MagicCall) -> None:
        options = Options(call, known)
        options.refuse_rest()
        about = {mime: {"isolated": True}} if "--isolated" in options else {}
        emit.display({mime: call.body, "text/plain": plain}, about)

    show.__doc__ = f"Show the cell as {mime}."
    return show


_html = _shown_as("text/html", "HTML")
_svg = _shown_as("image/svg+xml", "SVG")
_javascript = _shown_as("application/javascript", "Javascript")
_javascript.__doc__ = "Store the cell as JavaScript, for a browser that shows the notebook. Nothing runs it here."

LINE: dict = {}
CELL = {
    "html": _html,
    "HTML": _html,
    "markdown": _shown_as("text/markdown", "Markdown"),
    "latex": _shown_as("text/latex", "Latex"),
    "svg": _svg,
    "SVG": _svg,
    "javascript": _javascript,
    "js": _javascript,
}
