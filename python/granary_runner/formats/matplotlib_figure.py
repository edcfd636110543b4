"""Matplotlib figures as PNG, and which of pyplot's open figures have not been seen yet."""

from __future__ import annotations

import sys
from io import BytesIO
from weakref import WeakKeyDictionary

# The picture a figure had when it was last shown: a figure shown by hand appears again at the end of its cell
# only if it looks different by then.
_last_shown = WeakKeyDictionary()  # figure -> hash of its PNG


def figure_bundle(figure) -> tuple:
    if _is_blank(figure):
        return {}, {}
    png = _render(figure)
    _last_shown[figure] = hash(png)
    figure.stale = False
    return {"image/png": png}, {}


def unseen_figures() -> list:
    """The open pyplot figures that have something to show, in the order of their numbers."""
    return [figure for figure in _open_figures() if not _is_blank(figure) and not _looks_as_last_shown(figure)]


def close_figures() -> None:
    pyplot = sys.modules.get("matplotlib.pyplot")
    if hasattr(pyplot, "close"):
        pyplot.close("all")


def _open_figures() -> list:
    helpers = sys.modules.get("matplotlib._pylab_helpers")
    if helpers is None:
        return []
    managers = sorted(helpers.Gcf.get_all_fig_managers(), key=lambda manager: manager.num)
    return [manager.canvas.figure for manager in managers]


def _looks_as_last_shown(figure) -> bool:
    if figure not in _last_shown:
        return False
    if not figure.stale:
        return True
    # Saving to a file marks a figure as changed as well: only its looks can tell.
    try:
        return hash(_render(figure)) == _last_shown[figure]
    except Exception:
        return False


def _render(figure) -> bytes:
    picture = BytesIO()
    figure.savefig(picture, format="png", dpi=figure.dpi, bbox_inches="tight")
    return picture.getvalue()


def _is_blank(figure) -> bool:
    background_only = 1
    return len(figure.get_children()) <= background_only
