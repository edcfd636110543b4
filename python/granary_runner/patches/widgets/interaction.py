"""`interact` shows the figures that its function drew while its Output widget takes the output: later, they would be beside it."""

from __future__ import annotations

import sys


def apply(module) -> None:
    def show_inline_matplotlib_plots() -> None:
        if "matplotlib.pyplot" in sys.modules:
            from ...display import flush_figures

            flush_figures()

    module.show_inline_matplotlib_plots = show_inline_matplotlib_plots
