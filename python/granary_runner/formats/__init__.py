"""An object as a MIME bundle, as in notebooks.

Loaded when a display or a result needs more than ``repr``, so nothing heavy is imported here.
"""

from __future__ import annotations

from .clean import clean
from .methods import displayed_itself, from_methods
from .registered import from_registered, text_of
from .special import special_format

__all__ = ["bundle", "clean", "one_line"]

LONGEST_LINE = 500_000
BESIDE_TEXT = ("text/html", "text/latex")  # a reader of text has no use for them
CONTAINERS = (list, tuple, dict, set, frozenset)


def bundle(obj, include=None, exclude=None, failures=None, only_readable=False) -> tuple:
    """Return ``(data, metadata)``, safe to turn into JSON. Both are empty if the object displayed itself.

    A form that fails does not hide the others: its exception is added to ``failures``. With ``only_readable``, forms that
    are not used beside a readable text are not computed: the HTML of a large table takes much longer than its text.
    """
    failures = [] if failures is None else failures
    known = special_format(type(obj))
    if known is None and displayed_itself(obj, failures):
        return {}, {}
    text = _readable_text(obj, exclude) if only_readable and known is None else None
    unread = exclude if text is None else [*(exclude or ()), *BESIDE_TEXT]
    data, metadata = from_registered(obj, include, unread, failures)
    known = None if data else known
    own, about_own = _from_known(known, obj, failures) if known else from_methods(obj, include, unread, failures, set(data))
    data, metadata = {**own, **data}, {**about_own, **metadata}
    if text is not None:
        data.setdefault("text/plain", text)
    if "text/plain" not in data and _wanted("text/plain", include, exclude):
        try:
            data["text/plain"] = text_of(obj)
        except Exception as error:
            failures.append(error)
    return clean({mime: value for mime, value in data.items() if _wanted(mime, include, exclude)}, metadata)


def _readable_text(obj, exclude) -> "str | None":
    """None where the host may prefer another form: the text only names a class, or has addresses of objects."""
    if not _wanted("text/plain", None, exclude):
        return None
    try:
        text = text_of(obj)
    except Exception:
        return None  # told by the usual way
    is_name = text.startswith("<") and "\n" not in text
    return None if is_name or not text.strip() or " object at 0x" in text else text


def one_line(obj, data: dict) -> "str | None":
    """The repr of a container whose text has a line for each item: a model reads it as well, for fewer tokens."""
    if not isinstance(obj, CONTAINERS) or "\n" not in data.get("text/plain", ""):
        return None
    try:
        line = repr(obj)
    except Exception:
        return None  # a part has a better text than its repr
    return line if len(line) <= LONGEST_LINE else None


def _from_known(format_object, obj, failures: list) -> tuple:
    try:
        return format_object(obj)
    except Exception as error:
        failures.append(error)
        return {}, {}


def _wanted(mime: str, include, exclude) -> bool:
    return (not include or mime in include) and (not exclude or mime not in exclude)
