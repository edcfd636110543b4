"""Other pages inside the output."""

from __future__ import annotations


class IFrame:
    """A page; further arguments become its query."""

    __module__ = "IPython.lib.display"

    def __init__(self, src, width, height, extras=None, **kwargs) -> None:
        self.src, self.width, self.height = str(src), width, height
        self.extras = extras or []
        self.params = kwargs

    def _repr_html_(self) -> str:
        from html import escape
        from urllib.parse import urlencode

        address = self.src + ("?" + urlencode(self.params) if self.params else "")
        size = f'width="{self.width}" height="{self.height}"'
        return f'<iframe {size} src="{escape(address)}" frameborder="0" allowfullscreen {" ".join(self.extras)}></iframe>'


class YouTubeVideo(IFrame):
    __module__ = "IPython.lib.display"

    def __init__(self, id, width=400, height=300, allow_autoplay=False, **kwargs) -> None:
        self.id = id
        extras = ['allow="autoplay"'] if allow_autoplay else []
        super().__init__(f"https://www.youtube.com/embed/{id}", width, height, extras, **kwargs)


class VimeoVideo(IFrame):
    __module__ = "IPython.lib.display"

    def __init__(self, id, width=400, height=300, **kwargs) -> None:
        super().__init__(f"https://player.vimeo.com/video/{id}", width, height, **kwargs)
