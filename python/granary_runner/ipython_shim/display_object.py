"""Base of all display objects: data given directly, read from a file, or named by a URL."""

from __future__ import annotations

import os


class DisplayObject:
    """An object to show. Reads the file that a string names, if it exists; does not fetch URLs."""

    # The classes claim IPython's module names: for their repr, and so that a pickle made here can be
    # read where IPython is installed.
    __module__ = "IPython.core.display"
    is_binary = False

    def __init__(self, data=None, url=None, filename=None, metadata=None) -> None:
        if isinstance(data, os.PathLike):
            data, filename = None, filename or data
        elif isinstance(data, str) and url is None and filename is None:
            if data.startswith(("http://", "https://")):
                data, url = None, data
            elif os.path.isfile(data):
                data, filename = None, data
        self.data = data
        self.url = url
        self.filename = None if filename is None else os.fspath(filename)
        self.metadata = metadata or {}
        self.reload()

    def __repr__(self) -> str:
        return f"<{type(self).__module__}.{type(self).__name__} object>"

    def reload(self) -> None:
        """Read the file, if there is one."""
        if self.filename is None:
            return
        with open(self.filename, **({"mode": "rb"} if self.is_binary else {"encoding": "utf-8"})) as file:
            self.data = file.read()

    def with_metadata(self, value):
        """A value as the `_repr_*_` methods return it."""
        return (value, self.metadata) if value is not None and self.metadata else value


class TextDisplayObject(DisplayObject):
    __module__ = "IPython.core.display"

    def __init__(self, data=None, url=None, filename=None, metadata=None) -> None:
        super().__init__(data, url, filename, metadata)
        if self.data is not None and not isinstance(self.data, str):
            raise TypeError(f"{type(self).__name__} expects text, not {self.data!r}")

    def _repr_html_(self):
        return self._link()

    def _link(self):
        if self.data is not None or self.url is None:
            return None
        from html import escape

        return f'<a href="{escape(self.url)}">{escape(self.url)}</a>'
