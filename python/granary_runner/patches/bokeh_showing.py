"""`show(plot)` displays, even without `output_notebook()`; otherwise bokeh would open a browser."""

from __future__ import annotations


def apply(showing) -> None:
    original = showing._show_with_state

    def _show_with_state(obj, state, *args, **options):
        if not state.notebook and not state.file:
            from bokeh.io import output_notebook

            output_notebook(hide_banner=True)
        return original(obj, state, *args, **options)

    showing._show_with_state = _show_with_state
