"""Display objects that are text: HTML, Markdown, LaTeX, SVG, source code."""

from __future__ import annotations

from .display_object import TextDisplayObject

CORE = "IPython.core.display"


class Pretty(TextDisplayObject):
    """Plain text, shown as it is."""

    __module__ = CORE


class HTML(TextDisplayObject):
    __module__ = CORE

    def _repr_html_(self):
        return self._link() or self.with_metadata(self.data)

    def __html__(self):
        """For template engines."""
        return self.data or self._link()


class Markdown(TextDisplayObject):
    __module__ = CORE

    def _repr_markdown_(self):
        return self.with_metadata(self.data)


class Latex(TextDisplayObject):
    __module__ = CORE

    def _repr_latex_(self):
        return self.with_metadata(self.data)


class Math(TextDisplayObject):
    """A formula, with or without its dollar signs."""

    __module__ = CORE

    def _repr_latex_(self):
        formula = (self.data or "").strip("$")
        return self.with_metadata(f"$\\displaystyle {formula}$")


class SVG(TextDisplayObject):
    __module__ = CORE

    def __init__(self, data=None, url=None, filename=None, metadata=None) -> None:
        if isinstance(data, (bytes, bytearray)):
            data = bytes(data).decode("utf-8")
        super().__init__(data, url, filename, metadata)

    def _repr_svg_(self):
        if self.data is None:
            return None
        start = max(self.data.find("<svg"), 0)  # without the XML declaration the picture can stand inside a page
        return self.with_metadata(self.data[start:])


class Javascript(TextDisplayObject):
    __module__ = CORE

    def __init__(self, data=None, url=None, filename=None, lib=None, css=None) -> None:
        super().__init__(data, url, filename)
        self.lib = [lib] if isinstance(lib, str) else lib or []
        self.css = [css] if isinstance(css, str) else css or []

    def _repr_javascript_(self):
        return self.data


class Code(TextDisplayObject):
    """Source code; shown as it is, without colours."""

    __module__ = "IPython.lib.display"

    def __init__(self, data=None, url=None, filename=None, language=None) -> None:
        super().__init__(data, url, filename)
        self.language = language

    def __repr__(self) -> str:
        return self.data or ""

    def _repr_html_(self):
        from html import escape

        return self._link() or f"<pre><code>{escape(self.data or '')}</code></pre>"
