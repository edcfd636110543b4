"""Sound: from samples, bytes, a file, or a URL."""

from __future__ import annotations

from .display_object import DisplayObject
from .media_tag import guessed_type, source_address


class Audio(DisplayObject):
    """A player. A list or array of samples needs its `rate`; several rows are channels."""

    __module__ = "IPython.lib.display"
    is_binary = True

    def __init__(self, data=None, filename=None, url=None, embed=None, rate=None, autoplay=False, normalize=True, *,
                 element_id=None) -> None:
        if data is None and filename is None and url is None:
            raise ValueError("No audio data found. Expecting filename, url, or data.")
        super().__init__(data, url, filename)
        self.embed = self.url is None if embed is None else embed
        self.autoplay, self.element_id = autoplay, element_id
        self.mimetype = guessed_type(self.filename or self.url, "audio/wav")
        if self.data is not None and not isinstance(self.data, (bytes, bytearray, str)):
            if rate is None:
                raise ValueError("rate must be specified when data is a numpy array or list of audio samples.")
            from .wav import wav_file

            self.data, self.mimetype = wav_file(self.data, rate, normalize), "audio/wav"

    def _repr_html_(self) -> str:
        address = source_address(self.data if self.embed else None, self.url or self.filename, self.mimetype)
        name = f' id="{self.element_id}"' if self.element_id else ""
        autoplay = ' autoplay="autoplay"' if self.autoplay else ""
        source = f'<source src="{address}" type="{self.mimetype}" />'
        return f'<audio{name} controls="controls"{autoplay}>{source}Your browser does not support audio.</audio>'
