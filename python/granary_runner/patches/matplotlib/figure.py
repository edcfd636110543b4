"""`fig.show()` displays the figure; matplotlib would warn about a missing window."""

from __future__ import annotations


def apply(module) -> None:
    def show(self, warn=True) -> None:
        """Display this figure."""
        from ...display import display

        display(self)

    module.Figure.show = show
