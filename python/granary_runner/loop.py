"""Top-level await: one private event loop, which also runs between cells while tasks of earlier cells go on."""

from __future__ import annotations

import asyncio
import selectors

from . import interrupt

_LOOP_FILES = (asyncio.__file__.rpartition("__init__")[0], selectors.__file__)
_DRAIN_SECONDS = 1.0
_COROUTINE = 0x80

interrupt.guard(__file__)

_loop: "asyncio.AbstractEventLoop | None" = None
_task: "asyncio.Task | None" = None
_cancelled = False


def _current() -> asyncio.AbstractEventLoop:
    global _loop
    if _loop is None or _loop.is_closed():
        _loop = asyncio.new_event_loop()
    asyncio.set_event_loop(_loop)  # asyncio.run() in an earlier cell has unset it
    return _loop


def _cancel() -> bool:
    """From the SIGINT handler, while the loop waits."""
    global _cancelled
    if _task is None or _task.done() or _loop is None:
        return False
    _cancelled = True
    _loop.call_soon_threadsafe(_task.cancel)  # the thread-safe form, because it wakes a waiting loop
    return True


def run(parts: list, variables: dict):
    """Run the code of a cell that awaits, to its end; returns the value of the last part."""
    global _task, _cancelled
    if _task is not None:
        raise RuntimeError("this cell awaits already: a magic inside it cannot await as well")
    loop = _current()
    _cancelled = False
    coroutine = _run_parts(parts, variables)
    _task = loop.create_task(coroutine)
    try:
        interrupt.raise_pending()
        return _drive(loop, _task)
    except asyncio.CancelledError:
        if _cancelled:
            raise KeyboardInterrupt from None
        raise
    except KeyboardInterrupt:
        # Raised in whatever ran on the loop. The cell's own code gets to clean up, for a while.
        if not _task.done():
            _task.cancel()
            _settle(loop, _task)
        raise
    finally:
        task, _task = _task, None
        if not task.done():
            coroutine.close()


@interrupt.calls_user_code
async def _run_parts(parts: list, variables: dict):
    value = None
    for part in parts:
        value = eval(part, variables)
        if part.co_flags & _COROUTINE:
            value = await value
    return value


@interrupt.cancels(_cancel, _LOOP_FILES)
def _drive(loop, task):
    return loop.run_until_complete(task)


def _settle(loop, task) -> None:
    async def settle() -> None:
        await asyncio.wait([task], timeout=_DRAIN_SECONDS)

    try:
        _drive(loop, loop.create_task(settle()))
        if task.done() and not task.cancelled():
            task.exception()  # looked at, so that asyncio does not complain
    except BaseException:
        pass


def exists() -> bool:
    return _loop is not None and not _loop.is_closed()


def run_until_readable(fd: int) -> None:
    """Between cells: let tasks go on until the host wants something."""
    loop = _current()
    wanted = []

    def stop() -> None:
        wanted.append(True)
        loop.stop()

    loop.add_reader(fd, stop)
    try:
        while not wanted and not loop.is_closed():
            try:
                loop.run_forever()
            except BaseException as problem:  # a task raised SystemExit or KeyboardInterrupt: not the others' end
                loop.call_exception_handler({"message": "A task ended with %r" % problem, "exception": problem})
    finally:
        if not loop.is_closed():
            loop.remove_reader(fd)
