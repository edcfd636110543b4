"""What to show of an object: a MIME bundle, made the way notebooks have taught everybody to expect.

Loaded when a display or a result needs more than ``repr``, so nothing heavy is imported here.
"""

from __future__ import annotations

from .clean import clean
from .errors import report
from .methods import displayed_itself, from_methods
from .plain_text import plain_text
from .special import special_format

__all__ = ["bundle", "clean"]


def bundle(obj, include=None, exclude=None) -> tuple:
    """Return ``(data, metadata)``, safe to turn into JSON. Both are empty if the object displayed itself."""
    known = special_format(type(obj))
    if known is None and displayed_itself(obj):
        return {}, {}
    data, metadata = _from_known(known, obj) if known else from_methods(obj, include, exclude)
    if "text/plain" not in data and _wanted("text/plain", include, exclude):
        data["text/plain"] = plain_text(obj)
    return clean({mime: value for mime, value in data.items() if _wanted(mime, include, exclude)}, metadata)


def _from_known(format_object, obj) -> tuple:
    try:
        return format_object(obj)
    except Exception as error:
        report(obj, "rich display", error)
        return {}, {}


def _wanted(mime: str, include, exclude) -> bool:
    return (not include or mime in include) and (not exclude or mime not in exclude)
