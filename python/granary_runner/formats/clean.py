"""Prepares a MIME bundle for the wire: text is text, bytes are base64, JSON types hold real JSON."""

from __future__ import annotations

from .json_safe import base64_text, json_safe
from .plain_text import plain_text

BINARY = (bytes, bytearray, memoryview)
TEXT_THAT_IS_NOT_CALLED_TEXT = {"image/svg+xml", "application/javascript"}


def clean(data: dict, metadata) -> tuple:
    cleaned = {str(mime): _value(str(mime), value) for mime, value in data.items() if value is not None}
    return cleaned, json_safe(metadata or {})


def _value(mime: str, value):
    if _is_json(mime) or (isinstance(value, (dict, list)) and not mime.startswith("text/")):
        return json_safe(value)
    if type(value) is str:
        return value
    if isinstance(value, BINARY):
        is_text = mime.startswith("text/") or mime in TEXT_THAT_IS_NOT_CALLED_TEXT
        return bytes(value).decode("utf-8", "replace") if is_text else base64_text(value)
    if isinstance(value, str):
        return str.__str__(value)
    try:
        return str(value)
    except Exception:
        return plain_text(value)


def _is_json(mime: str) -> bool:
    # Altair 6 names its type "application/vnd.vegalite.v6.json", so the last form is needed.
    return mime == "application/json" or mime.endswith(("+json", ".json"))
