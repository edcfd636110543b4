"""Other pages inside the output."""

from __future__ import annotations


class IFrame:
    """A page; further arguments become its query, and `extras` are literal attributes of the element."""

    __module__ = "IPython.lib.display"
    # A subclass may replace this.
    iframe = (
        '<iframe width="{width}" height="{height}" src="{src}{params}" frameborder="0" allowfullscreen '
        'referrerpolicy="strict-origin-when-cross-origin" {extras}></iframe>'
    )

    def __init__(self, src, width, height, extras=None, **kwargs) -> None:
        self.src, self.width, self.height = src, width, height
        self.extras = [] if extras is None else extras
        self.params = kwargs

    def _repr_html_(self) -> str:
        from html import escape
        from urllib.parse import urlencode

        return self.iframe.format(
            src=escape(str(self.src)),
            width=escape(str(self.width)),
            height=escape(str(self.height)),
            params=escape("?" + urlencode(self.params)) if self.params else "",
            extras=" ".join(self.extras),
        )


class YouTubeVideo(IFrame):
    __module__ = "IPython.lib.display"

    def __init__(self, id, width=400, height=300, allow_autoplay=False, **kwargs) -> None:
        self.id = id
        if allow_autoplay:
            kwargs.update(autoplay=1, extras=[*kwargs.get("extras", ()), 'allow="autoplay"'])
        super().__init__(f"https://www.youtube.com/embed/{id}", width, height, **kwargs)


class VimeoVideo(IFrame):
    __module__ = "IPython.lib.display"

    def __init__(self, id, width=400, height=300, **kwargs) -> None:
        super().__init__(f"https://player.vimeo.com/video/{id}", width, height, **kwargs)


class ScribdDocument(IFrame):
    __module__ = "IPython.lib.display"

    def __init__(self, id, width=400, height=300, **kwargs) -> None:
        super().__init__(f"https://www.scribd.com/embeds/{id}/content", width, height, **kwargs)
