"""Matplotlib figures as pictures, and pyplot's open figures that were not shown yet."""

from __future__ import annotations

import sys
from io import BytesIO
from weakref import WeakKeyDictionary

from . import figure_settings

# A figure's picture when it was last shown: a figure that code displayed appears again at the end of its cell
# only if it has changed.
_last_shown = WeakKeyDictionary()  # figure -> hash of its PNG


def figure_bundle(figure) -> tuple:
    if _is_blank(figure):
        return {}, {}
    data, metadata = {}, {}
    for name in figure_settings.formats:
        mime = figure_settings.MIME_BY_FORMAT[name]
        data[mime] = _render(figure, name)
        if name in figure_settings.DOUBLED:
            width, height = (int.from_bytes(data[mime][start : start + 4], "big") // 2 for start in (16, 20))
            metadata[mime] = {"width": width, "height": height}
    _last_shown[figure] = _looks(figure, data.get("image/png"))
    figure.stale = False
    return data, metadata


def unseen_figures() -> list:
    """The non-empty open pyplot figures, in the order of their numbers."""
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
    # Saving to a file also marks a figure as changed, so compare the pictures.
    try:
        return _looks(figure) == _last_shown[figure]
    except Exception:
        return False


def _looks(figure, png=None) -> int:
    """By its PNG: names and a date in an SVG differ each time."""
    wanted = next((name for name in figure_settings.formats if figure_settings.MIME_BY_FORMAT[name] == "image/png"), "png")
    return hash(_render(figure, wanted) if png is None else png)


def _render(figure, name: str) -> bytes:
    picture = BytesIO()
    dpi = figure.dpi * (2 if name in figure_settings.DOUBLED else 1)
    options = {"dpi": dpi, "bbox_inches": "tight", **figure_settings.options}
    if "quality" in options:  # as matplotlib before 3.5 had it
        options["pil_kwargs"] = {"quality": options.pop("quality")}
    if name not in ("jpg", "jpeg", "webp"):
        options.pop("pil_kwargs", None)
    figure.savefig(picture, format="png" if name in figure_settings.DOUBLED else name, **options)
    return picture.getvalue()


def _is_blank(figure) -> bool:
    background_only = 1
    return len(figure.get_children()) <= background_only
