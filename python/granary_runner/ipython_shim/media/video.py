"""Films: from bytes, a file, or a URL."""

from __future__ import annotations

from ..display_object import DisplayObject
from .media_tag import guessed_type, source_address


class Video(DisplayObject):
    """A player. A file is linked, unless `embed=True` puts it into the output; text is base64."""

    __module__ = "IPython.core.display"
    is_binary = True

    def __init__(self, data=None, url=None, filename=None, embed=False, mimetype=None, width=None, height=None,
                 html_attributes="controls") -> None:
        if data is None and url is None and filename is None:
            raise ValueError("No video data found. Expecting filename, url, or data.")
        self.embed, self.html_attributes = embed, html_attributes
        super().__init__(data, url, filename)
        if self.data is not None and not embed:
            raise ValueError("To show a video from its data, pass embed=True; to link to one, pass a file that exists or a URL.")
        self.width, self.height = width, height
        self.mimetype = mimetype or guessed_type(self.filename or self.url, "video/mp4")

    def reload(self) -> None:
        if self.embed:
            super().reload()

    def _repr_html_(self) -> str:
        from html import escape

        address = source_address(self.data if self.embed else None, self.url or self.filename or "", self.mimetype)
        named = (("width", self.width), ("height", self.height))
        size = "".join(f' {name}="{escape(str(value))}"' for name, value in named if value)
        return f'<video src="{address}" {self.html_attributes}{size}>Your browser does not support video.</video>'
