"""The event loop of top-level await is there from asyncio's import on, so that `get_event_loop()` names it before the first await."""

from __future__ import annotations

from _thread import get_ident

from ...cells import interrupt
from ...wire import forks


def apply(_asyncio) -> None:
    from ...cells import loop

    is_importing_us = not hasattr(loop, "current")  # the first cell that awaits, which goes on to set the loop
    # Every thread has a loop of its own, and a forked child begins with none.
    if get_ident() == interrupt.main_thread and not forks.is_child() and not is_importing_us:
        loop.current()
