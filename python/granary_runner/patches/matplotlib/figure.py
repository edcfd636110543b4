"""`fig.show()` displays the figure, where matplotlib would warn that it has no window."""

from __future__ import annotations


def apply(module) -> None:
    def show(self, warn=True) -> None:
        """Display this figure."""
        from ...display import display

        display(self)

    module.Figure.show = show
