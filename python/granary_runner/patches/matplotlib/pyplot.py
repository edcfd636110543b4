"""`plt.show()` displays the open figures; there is no window to wait for."""

from __future__ import annotations

from .backend import unless_drawn_elsewhere


def apply(pyplot) -> None:
    def show(*args, block=None, **kwargs) -> None:
        """Display all open figures and close them; with block=False they stay open."""
        from ...display import flush_figures

        flush_figures(close=block is not False)

    def pause(interval) -> None:
        """Wait. A picture for every step of an animation would flood the output; the cell shows the last one."""
        from time import sleep

        sleep(interval)

    pyplot.show = show
    pyplot.pause = pause
    pyplot.switch_backend = unless_drawn_elsewhere(pyplot.switch_backend)
