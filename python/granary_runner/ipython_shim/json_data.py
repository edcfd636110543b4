"""Display objects that are JSON values."""

from __future__ import annotations

from .display_object import DisplayObject


class JSON(DisplayObject):
    """A dict, a list, or a string or file with JSON."""

    __module__ = "IPython.core.display"

    def __init__(self, data=None, url=None, filename=None, expanded=False, metadata=None, root="root", **kwargs) -> None:
        super().__init__(data, url, filename, {"expanded": expanded, "root": root, **(metadata or {}), **kwargs})
        if self.data is None and self.url is not None:
            raise ValueError(f"{type(self).__name__} does not fetch {self.url}. Fetch it first and pass the data.")
        if isinstance(self.data, (str, bytes)):
            import json

            self.data = json.loads(self.data)

    def _repr_json_(self):
        return self.with_metadata(self.data)


class GeoJSON(JSON):
    __module__ = "IPython.core.display"

    def _repr_json_(self):
        return None

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"application/geo+json": self.data}, {"application/geo+json": self.metadata}
