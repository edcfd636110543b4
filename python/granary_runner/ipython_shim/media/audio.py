"""Sound: from samples, bytes, a file, or a URL."""

from __future__ import annotations

from ..display_object import DisplayObject
from .media_tag import fetched, guessed_type, source_address


class Audio(DisplayObject):
    """A player. A list or array of samples needs its `rate`; several rows are channels.

    A `url` is linked, unless `embed=True` asks to fetch it; an address given as `data` is fetched, as IPython does.
    """

    __module__ = "IPython.lib.display"
    is_binary = True

    def __init__(self, data=None, filename=None, url=None, embed=None, rate=None, autoplay=False, normalize=True, *,
                 element_id=None) -> None:
        if data is None and filename is None and url is None:
            raise ValueError("No audio data found. Expecting filename, url, or data.")
        if embed is False and url is None:
            raise ValueError("No url found. Expecting url when embed=False")
        self.embed = url is None or embed is True
        self.autoplay, self.element_id = autoplay, element_id
        super().__init__(data, url, filename)
        self.mimetype = guessed_type(self.filename or self.url, "audio/wav")
        if self.data is not None and not isinstance(self.data, (bytes, bytearray, memoryview)):
            if rate is None:
                raise ValueError("rate must be specified when data is a numpy array or list of audio samples.")
            from .wav import wav_file

            self.data, self.mimetype = wav_file(self.data, rate, normalize), "audio/wav"

    def reload(self) -> None:
        if not self.embed:
            return
        super().reload()
        if self.url is not None and self.filename is None and self.data is None:
            self.data = fetched(self.url)

    def _repr_html_(self) -> str:
        attributes = " ".join(filter(None, (self.element_id_attr(), 'controls="controls"', self.autoplay_attr())))
        source = f'<source src="{self.src_attr()}" type="{self.mimetype}" />'
        return f"<audio {attributes}>{source}Your browser does not support audio.</audio>"

    def src_attr(self) -> str:
        return source_address(self.data if self.embed else None, self.url or "", self.mimetype)

    def autoplay_attr(self) -> str:
        return 'autoplay="autoplay"' if self.autoplay else ""

    def element_id_attr(self) -> str:
        from html import escape

        return f'id="{escape(str(self.element_id))}"' if self.element_id else ""
