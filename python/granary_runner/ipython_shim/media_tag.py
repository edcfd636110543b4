"""The `<audio>` and `<video>` elements, with their data inside or beside them."""

from __future__ import annotations


def source_address(data, address: str, mime: str) -> str:
    """What goes into `src`: the data itself, or the address it was left at."""
    from base64 import b64encode
    from html import escape

    if data is None:
        return escape(address)
    return f"data:{mime};base64,{b64encode(data).decode('ascii')}"


def guessed_type(address, default: str) -> str:
    from mimetypes import guess_type

    return guess_type(address or "")[0] or default
