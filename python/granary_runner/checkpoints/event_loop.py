"""The event loop of a copy: the same loop with its tasks, on a selector and a wake-up socket of its own."""

from __future__ import annotations

import asyncio
import signal

from ..cells import loop as our_loop


def renew() -> None:
    loop = our_loop.of_copy()
    if loop is None or loop.is_closed():
        return
    old = loop._selector
    new = type(old)()
    for key in list(old.get_map().values()):
        if key.fileobj != loop._ssock.fileno() and key.fileobj is not loop._ssock:
            try:
                new.register(key.fileobj, key.events, key.data)
            except (OSError, ValueError):
                pass  # a socket that is gone
    loop._selector = new
    old.close()
    for socket in (loop._ssock, loop._csock):
        socket.close()
    loop._internal_fds -= 1
    loop._make_self_pipe()
    if getattr(loop, "_signal_handlers", None):
        signal.set_wakeup_fd(loop._csock.fileno())
    asyncio.set_event_loop(loop)  # asyncio itself forgets it in a child, from Python 3.12 on
