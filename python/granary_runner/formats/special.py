"""Types with a format of ours, found by name, without importing their library."""

from __future__ import annotations


def special_format(kind: type):
    """The function that formats objects of this type, or None for the usual rules."""
    for base in kind.__mro__:
        special = SPECIAL.get((base.__module__, base.__qualname__))
        if special is not None:
            return special
    return None


def _matplotlib_figure(figure) -> tuple:
    from .matplotlib_figure import figure_bundle

    return figure_bundle(figure)


def _plotly_figure(figure) -> tuple:
    from .plotly_figure import figure_bundle

    return figure_bundle(figure)


def _pillow_image(image) -> tuple:
    """Pillow offers a PNG and a JPEG of the same picture; one is enough."""
    png = image._repr_png_()
    return ({"image/png": png} if png is not None else {"image/jpeg": image._repr_jpeg_()}), {}


def _graphviz(drawing) -> tuple:
    """Without the program that draws, the source of the drawing is what there is to read."""
    try:
        return drawing._repr_mimebundle_(), {}
    except Exception as problem:
        if type(problem).__name__ != "ExecutableNotFound":
            raise
        missing = "graphviz drawing, not drawn: the program dot is not installed (the system's package graphviz). Its source:"
        return {"text/plain": f"{missing}\n{drawing.source.rstrip()}"}, {}


def _pretty(obj) -> tuple:
    return {"text/plain": obj.data}, {}


SPECIAL = {
    ("matplotlib.figure", "Figure"): _matplotlib_figure,
    ("plotly.basedatatypes", "BaseFigure"): _plotly_figure,
    ("PIL.Image", "Image"): _pillow_image,
    ("graphviz.jupyter_integration", "JupyterIntegration"): _graphviz,
    ("IPython.core.display", "Pretty"): _pretty,
}
