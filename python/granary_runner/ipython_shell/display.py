"""`get_ipython().display_formatter` and `.display_pub`."""

from __future__ import annotations

from ..formats import bundle
from ..formats.registered import FORMATTERS


class DisplayFormatter:
    """`formatters` has the registered functions of each MIME type."""

    def __init__(self) -> None:
        self.formatters = FORMATTERS

    @property
    def active_types(self) -> list:
        return [mime for mime, formatter in self.formatters.items() if formatter.enabled]

    @active_types.setter
    def active_types(self, wanted) -> None:
        for mime, formatter in self.formatters.items():
            formatter.enabled = mime in wanted

    @property
    def format_types(self) -> list:
        return list(self.formatters)

    def format(self, obj, include=None, exclude=None) -> tuple:
        """The MIME bundle of an object, and its metadata."""
        return bundle(obj, include, exclude)


class DisplayPublisher:
    """Shows finished MIME bundles."""

    def publish(self, data, metadata=None, source=None, *, transient=None, update=False, **kwargs) -> None:
        from ..display import publish_display_data

        publish_display_data(data, metadata, transient=transient, update=update)

    def clear_output(self, wait=False) -> None:
        from ..display import clear_output

        clear_output(wait)

    @property
    def is_publishing(self) -> bool:
        return False
