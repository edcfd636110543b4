"""``display()`` and its family, with IPython's names and arguments, speaking through our own channel.

Loaded when a cell first shows something: the ``display`` in builtins is a stub until then.
"""

from __future__ import annotations

from . import formats
from .cells import execute
from .wire import emit

_LONGEST_ID = 1_000


def display(*objs, include=None, exclude=None, metadata=None, transient=None, display_id=None, raw=False, clear=False,
            **kwargs):
    """Show objects richly, each as its own output.

    With ``display_id`` (a name, or True for a new one) the output can be changed later: through the
    returned handle, or with ``update_display``. With ``raw=True`` the objects are MIME bundles.
    """
    if display_id is True:
        display_id = _new_id()
    shown_as = display_id or (transient or {}).get("display_id")
    update = bool(kwargs.get("update"))
    if update and not shown_as:
        raise TypeError("display_id required for update_display")
    if len(str(shown_as)) > _LONGEST_ID:
        raise ValueError(f"display_id has {len(shown_as)} characters; at most {_LONGEST_ID} are possible")
    if clear:
        clear_output(wait=True)
    if not objs and display_id:  # an empty display, for a later update
        emit.display({}, {}, display_id, update)
    for obj in objs:
        failures: list = []
        data, about_data = formats.clean(obj, None) if raw else _bundle(obj, include, exclude, failures)
        if failures:
            execute.display_failed(failures[0], shows_something=bool(data))
        if data or raw:
            line = None if raw else formats.one_line(obj, data)
            emit.display(data, _merged(about_data, metadata), shown_as, update, line)
    return DisplayHandle(display_id) if display_id else None


def _bundle(obj, include, exclude, failures: list) -> tuple:
    # Code may ask `%%capture` for any form later.
    only_readable = execute.only_readable and not include and emit.display.__module__ == emit.__name__
    return formats.bundle(obj, include, exclude, failures, only_readable)


def update_display(obj, *, display_id, **kwargs) -> None:
    """Replace the content of all displays with this ``display_id``."""
    kwargs["update"] = True
    display(obj, display_id=display_id, **kwargs)


def publish_display_data(data, metadata=None, source=None, *, transient=None, update=False, **kwargs) -> None:
    """Show a finished MIME bundle. ``source`` is accepted for old callers, without effect."""
    display(data, raw=True, metadata=metadata, transient=transient, update=update)


def clear_output(wait=False) -> None:
    """Remove the cell's output so far, at once or (``wait=True``) with the next output."""
    emit.clear(bool(wait))


class DisplayHandle:
    """An output that can be shown again or changed later."""

    def __init__(self, display_id=None):
        self.display_id = display_id or _new_id()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} display_id={self.display_id}>"

    def display(self, obj, **kwargs) -> None:
        display(obj, display_id=self.display_id, **kwargs)

    def update(self, obj, **kwargs) -> None:
        update_display(obj, display_id=self.display_id, **kwargs)


def flush_figures(close=True) -> None:
    """Show pyplot's open figures that were not shown yet; called at the end of each cell and by ``plt.show()``."""
    from .formats import figure_settings, matplotlib_figure

    try:
        for figure in matplotlib_figure.unseen_figures():
            display(figure)
    finally:  # also after an interrupt, or the figures would appear under another cell
        if close and figure_settings.closes_figures:
            matplotlib_figure.close_figures()


def _display_only(name: str, mime: str):
    def display_one_format(*objs, raw=False, metadata=None, **kwargs):
        bundles = [{mime: obj} for obj in objs] if raw else objs
        return display(*bundles, raw=raw, include=[mime], metadata={mime: metadata} if metadata else None, **kwargs)

    display_one_format.__name__ = display_one_format.__qualname__ = name
    display_one_format.__doc__ = f"Show only the {mime} form of objects; with ``raw=True`` they are that form already."
    return display_one_format


display_pretty = _display_only("display_pretty", "text/plain")
display_html = _display_only("display_html", "text/html")
display_markdown = _display_only("display_markdown", "text/markdown")
display_svg = _display_only("display_svg", "image/svg+xml")
display_png = _display_only("display_png", "image/png")
display_jpeg = _display_only("display_jpeg", "image/jpeg")
display_latex = _display_only("display_latex", "text/latex")
display_json = _display_only("display_json", "application/json")
display_javascript = _display_only("display_javascript", "application/javascript")
display_pdf = _display_only("display_pdf", "application/pdf")


def _new_id() -> str:
    from os import urandom

    return urandom(16).hex()


def _merged(found: dict, given) -> dict:
    """The caller's metadata wins; metadata of one MIME type is merged."""
    merged = dict(found)
    for key, value in formats.clean({}, given)[1].items():
        both_are_dicts = isinstance(value, dict) and isinstance(merged.get(key), dict)
        merged[key] = {**merged[key], **value} if both_are_dicts else value
    return merged
