"""Plotly figures: the interactive form for hosts that can draw it, and a summary for others."""

from __future__ import annotations

import sys

from .errors import report

MIME_BY_IMAGE_RENDERER = {
    "png": "image/png",
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
}


def figure_bundle(figure, renderer=None, **image_size) -> tuple:
    """Plotly picks a renderer by guessing its environment. Only a renderer for still pictures is used."""
    import json

    data = {
        "application/vnd.plotly.v1+json": json.loads(figure.to_json()),
        "text/html": figure.to_html(include_plotlyjs="cdn", full_html=False),
        "text/plain": summary(figure),
    }
    data.update(_still_picture(figure, renderer, image_size) or _own_picture(figure, image_size))
    return data, {}


def summary(figure) -> str:
    """A summary: the figure's own repr lists every point."""
    kinds = [trace.type or "trace" for trace in figure.data]
    counted = f"{len(kinds)} {'trace' if len(kinds) == 1 else 'traces'}"
    names = ", ".join(dict.fromkeys(kinds))
    title = figure.layout.title.text
    text = f"plotly {type(figure).__name__}: {counted}"
    return text + (f" ({names})" if names else "") + (f", title {title!r}" if title else "")


def _still_picture(figure, renderer, image_size) -> dict:
    image = renderer or _default_renderer()
    mime = MIME_BY_IMAGE_RENDERER.get(image)
    if mime is None:
        return {}
    try:
        return {mime: figure.to_image(format=image, **image_size)}
    except Exception as error:  # usually: kaleido is not installed, and the error says how to get it
        report(figure, f"rendering as {image}", error)
        return {}


def _own_picture(figure, image_size) -> dict:
    """A PNG, where that starts no browser: kaleido has its own renderer before version 1, and needs Chrome since then."""
    if not _draws_without_browser():
        return {}
    try:
        return {"image/png": figure.to_image(format="png", **image_size)}
    except Exception:
        return {}  # such as a version of plotly that does not accept this kaleido; the host says how to get a picture


def _draws_without_browser() -> bool:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("kaleido").startswith("0.")
    except PackageNotFoundError:
        return False


def _default_renderer():
    renderers = getattr(sys.modules.get("plotly.io._renderers"), "renderers", None)
    return getattr(renderers, "default", None)
