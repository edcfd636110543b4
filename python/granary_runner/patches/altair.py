"""Altair charts carry their Vega-Lite specification beside the HTML, and a PNG where vl-convert is installed.

`chart.show()` opens no browser.
"""

from __future__ import annotations


def apply(altair) -> None:
    renderers = altair.renderers
    with renderers.enable("mimetype"):
        as_specification = renderers.get()
    with renderers.enable("html"):
        as_html = renderers.get()

    def specification_and_html(spec, **options) -> tuple:
        data, metadata = as_specification(spec, **options)
        # The renderer's text is advice about renderers; the chart's own repr says more.
        specification = {mime: value for mime, value in data.items() if mime != "text/plain"}
        return {**specification, **as_html(spec, **options), **_picture(renderers, spec)}, metadata

    # A renderer that the user enables by another name ("png", "svg") still works.
    renderers.register("default", specification_and_html)
    renderers.register("browser", specification_and_html)
    renderers.enable("default")
    altair.TopLevelMixin.show = _show


def _picture(renderers, spec) -> dict:
    """vl-convert draws in this process, without a browser. It would wait for data at a URL, however long that takes."""
    import json
    from importlib.util import find_spec

    if find_spec("vl_convert") is None or '"url":' in json.dumps(spec, default=str):
        return {}
    try:
        with renderers.enable("png"):
            data, _ = renderers.get()(spec)
        return {"image/png": data["image/png"]}
    except Exception:
        return {}  # the host names the ways to get a picture


def _show(self, *args, **kwargs) -> None:
    """Display this chart."""
    from ..display import display

    display(self)
