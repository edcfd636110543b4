"""Settings of Jupyter's inline backend apply to ours: the backend itself needs IPython's own shell."""

from __future__ import annotations


def apply(module) -> None:
    from ...formats import figure_settings

    ours = {
        "set_matplotlib_formats": figure_settings.use_formats,
        "set_matplotlib_close": figure_settings.close_at_end,
    }
    for name, function in ours.items():
        if name in vars(module):
            setattr(module, name, function)
