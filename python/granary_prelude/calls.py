"""One running call to the host. The caller may wait in a thread, or await in an event loop."""

from __future__ import annotations

import _thread
import sys

_interrupts = sys.modules.get("granary_runner.cells.interrupt")


class Call:
    def __init__(self, transport, name: str, arguments: dict) -> None:
        self.reply: "dict | None" = None
        self._replied = _thread.allocate_lock()  # released by the reply
        self._replied.acquire()
        self._telling = _thread.allocate_lock()
        self._listeners: list = []
        self.cancel = transport.begin(name, arguments, self._take)

    def wait(self) -> dict:
        """Wait for the reply. An interrupt cancels the call."""
        __tracebackhide__ = True
        try:
            _wait(self._replied)
        except BaseException as problem:
            self.cancel()
            if isinstance(problem, KeyboardInterrupt):
                raise KeyboardInterrupt from None  # our own frames do not help
            raise
        self._replied.release()
        return self.reply

    async def wait_in_loop(self) -> dict:
        """The same for code that awaits: cancelling the coroutine cancels the call."""
        __tracebackhide__ = True
        import asyncio

        loop = asyncio.get_running_loop()
        replied = loop.create_future()
        self._listen(lambda: _wake(loop, replied))
        try:
            await replied
        except BaseException:
            self.cancel()
            raise
        return self.reply

    def _take(self, reply: dict) -> None:
        """From another thread."""
        with self._telling:
            self.reply = reply
            listeners, self._listeners = self._listeners, []
        self._replied.release()
        for tell in listeners:
            tell()

    def _listen(self, listener) -> None:
        with self._telling:
            is_pending = self.reply is None
            if is_pending:
                self._listeners.append(listener)
        if not is_pending:
            listener()


def _wait(replied) -> None:
    __tracebackhide__ = True
    if _interrupts is not None:
        _interrupts.raise_pending()
    replied.acquire()


if _interrupts is not None:
    # An interrupt before we can cancel the call would leave the tool running.
    _interrupts.guard(_wait.__code__.co_filename)
    _interrupts.waits(_wait)


def _wake(loop, replied) -> None:
    def settle() -> None:
        if not replied.done():
            replied.set_result(None)

    try:
        loop.call_soon_threadsafe(settle)
    except RuntimeError:
        pass  # the loop is closed, so no code awaits the call
