"""The event loop of top-level await exists from asyncio's import on, so `get_event_loop()` returns it before the first await."""

from __future__ import annotations

from _thread import get_ident

from ...cells import interrupt
from ...wire import forks


def apply(_asyncio) -> None:
    from ...cells import loop

    is_importing_us = not hasattr(loop, "current")  # in the first cell that awaits, which then sets the loop
    # Every thread has its own loop, and a forked child begins without one.
    if get_ident() == interrupt.main_thread and not forks.is_child() and not is_importing_us:
        loop.current()
