"""Pictures: from bytes, a file, or a URL."""

from __future__ import annotations

from ..display_object import DisplayObject
from .media_tag import fetched

MIME_BY_FORMAT = {
    "png": "image/png",
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "gif": "image/gif",
    "webp": "image/webp",
    "bmp": "image/bmp",
}

FORMAT_BY_FIRST_BYTES = {b"\x89PNG": "png", b"\xff\xd8\xff": "jpeg", b"GIF8": "gif", b"RIFF": "webp", b"BM": "bmp"}


class Image(DisplayObject):
    """A picture. One at a URL is linked, unless `embed=True` asks to fetch it."""

    __module__ = "IPython.core.display"
    is_binary = True

    def __init__(self, data=None, url=None, filename=None, format=None, embed=None, width=None, height=None, retina=False,
                 unconfined=False, metadata=None, alt=None) -> None:
        if data is None and url is None and filename is None:
            raise ValueError("No image data found. Expecting filename, url, or data.")
        super().__init__(data, url, filename, metadata)
        if isinstance(self.data, str):
            raise FileNotFoundError(f"No such file or directory: '{self.data}'")
        self.embed = self.url is None if embed is None else embed
        if self.embed and self.data is None:
            self.data = fetched(self.url)
        self.format = (format or _format_of(self.data, self.filename or self.url)).lower()
        if self.embed and self.format not in MIME_BY_FORMAT:
            remedy = "use SVG() instead" if self.format == "svg" else f"known are {', '.join(MIME_BY_FORMAT)}"
            raise ValueError(f"Cannot embed the '{self.format}' image format: {remedy}.")
        self.width, self.height, self.alt = width, height, alt
        self.retina, self.unconfined = retina, unconfined

    def _repr_mimebundle_(self, include=None, exclude=None):
        if not self.embed:
            return {"text/html": self._tag()}
        mime = MIME_BY_FORMAT[self.format]
        known = {"width": self.width, "height": self.height, "unconfined": self.unconfined or None, "alt": self.alt}
        about = {**self.metadata, **{name: value for name, value in known.items() if value is not None}}
        return {mime: self.data}, {mime: about} if about else {}

    def _tag(self) -> str:
        from html import escape

        named = {"src": self.url, "width": self.width, "height": self.height, "alt": self.alt}
        attributes = "".join(f' {name}="{escape(str(value))}"' for name, value in named.items() if value is not None)
        return f"<img{attributes}/>"


def _format_of(data, source) -> str:
    for first_bytes, name in FORMAT_BY_FIRST_BYTES.items():
        if data is not None and bytes(data[: len(first_bytes)]) == first_bytes:
            return name
    name = (source or "").split("?")[0].rpartition(".")[2].lower()
    return name if name == "svg" or name in MIME_BY_FORMAT else "png"
