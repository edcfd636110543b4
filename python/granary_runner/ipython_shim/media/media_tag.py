"""The `<audio>` and `<video>` elements, with their data inside or beside them."""

from __future__ import annotations


def source_address(data, address: str, mime: str) -> str:
    """The value of `src`: the data itself, or its address."""
    from base64 import b64encode
    from html import escape

    if data is None:
        return escape(address)
    encoded = escape("".join(data.split())) if isinstance(data, str) else b64encode(data).decode("ascii")
    return f"data:{escape(mime)};base64,{encoded}"


def guessed_type(address, default: str) -> str:
    from mimetypes import guess_type

    return guess_type(address or "")[0] or default


def fetched(url: str) -> bytes:
    from urllib.request import urlopen

    with urlopen(url) as response:
        return response.read()
