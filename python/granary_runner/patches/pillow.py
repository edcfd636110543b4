"""`image.show()` displays the image instead of starting a viewer."""

from __future__ import annotations


def apply(module) -> None:
    def show(image, title=None, **options) -> bool:
        """Display an image."""
        from ..display import display

        display(image)
        return True

    module.show = show
