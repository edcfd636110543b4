"""Top-level await: the event loop of the main thread, which also runs between cells, so that tasks continue.

`asyncio.get_event_loop()` returns this loop: one of ours, set when asyncio is imported, until the user's code
sets another one or another policy.
"""

from __future__ import annotations

import asyncio
import selectors

from . import interrupt

_LOOP_FILES = (asyncio.__file__.rpartition("__init__")[0], selectors.__file__)
_DRAIN_SECONDS = 1.0
_COROUTINE = 0x80

interrupt.guard(__file__)

_get_policy = getattr(asyncio.events, "_get_event_loop_policy", asyncio.get_event_loop_policy)  # Python 3.14 deprecates the latter
_policy = None  # the policy that has our loop
_ours: "asyncio.AbstractEventLoop | None" = None
_latest: "asyncio.AbstractEventLoop | None" = None  # that `current` has found
_parents: "asyncio.AbstractEventLoop | None" = None  # in a forked child
_running: "asyncio.AbstractEventLoop | None" = None  # the one that runs the cell
_task: "asyncio.Task | None" = None
_cancelled = False


def current() -> asyncio.AbstractEventLoop:
    """The loop of the main thread. Ours replaces one that is closed, was unset (by `asyncio.run()`) or runs elsewhere."""
    global _ours, _policy, _latest
    policy = _get_policy()
    if policy is _policy:
        found = _loop_set_in(policy)
    else:
        _policy = policy
        found = _ours = _loop_of_new(policy)
    if found is None or found.is_closed() or found.is_running():
        if _ours is None or _ours.is_closed() or _ours.is_running():
            _ours = asyncio.new_event_loop()
        found = _ours
        asyncio.set_event_loop(found)
    _latest = found
    return found


def _loop_set_in(policy) -> "asyncio.AbstractEventLoop | None":
    try:
        return policy.get_event_loop()
    except RuntimeError:
        return None


def _loop_of_new(policy) -> "asyncio.AbstractEventLoop | None":
    """Called once for a new policy: Python's own, or one that the user's code set, as `uvloop.install()` does."""
    if _ours is not None and asyncio.all_tasks(_ours):
        asyncio.set_event_loop(_ours)  # tasks are not left behind
        return _ours
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _loop_set_in(policy)


def _cancel() -> bool:
    """From the SIGINT handler, while the loop waits."""
    global _cancelled
    if _task is None or _task.done() or _running is None:
        return False
    _cancelled = True
    _running.call_soon_threadsafe(_task.cancel)  # the thread-safe form, because it wakes a waiting loop
    return True


def run(parts: list, variables: dict):
    """Run the code of a cell that awaits, to its end; returns the value of the last part."""
    global _running, _task, _cancelled
    if _task is not None:
        raise RuntimeError("this cell already awaits, so a magic inside it cannot await")
    _running = loop = current()
    _cancelled = False
    coroutine = run_parts(parts, variables)
    _task = loop.create_task(coroutine)
    try:
        interrupt.raise_pending()
        return _drive(loop, _task)
    except asyncio.CancelledError:
        if _cancelled:
            raise KeyboardInterrupt from None
        raise
    except KeyboardInterrupt:
        # Raised in any code on the loop. The cell's own code has some time to clean up.
        if not _task.done():
            _task.cancel()
            _settle(loop, _task)
        raise
    finally:
        task, _task = _task, None
        if not task.done():
            task._log_destroy_pending = False
            _abandon(coroutine)


@interrupt.calls_user_code
async def run_parts(parts: list, variables: dict):
    value = None
    for part in parts:
        value = eval(part, variables)
        if part.co_flags & _COROUTINE:
            value = await value
    return value


@interrupt.cancels(_cancel, _LOOP_FILES)
def _drive(loop, task):
    while True:
        try:
            return loop.run_until_complete(task)
        except RuntimeError:
            # User code called `loop.stop()`, maybe in an earlier cell, and not to stop this one.
            if task.done() or loop.is_closed() or loop.is_running():
                raise


def _settle(loop, task) -> None:
    async def settle() -> None:
        await asyncio.wait([task], timeout=_DRAIN_SECONDS)

    try:
        _drive(loop, loop.create_task(settle()))
        if task.done() and not task.cancelled():
            task.exception()  # retrieved, so that asyncio does not warn
    except BaseException:
        pass


@interrupt.calls_user_code
def _abandon(coroutine) -> None:
    try:
        coroutine.close()
    except RuntimeError:
        pass  # it catches everything, and awaits again


def cancel_interrupted(problem: BaseException) -> None:
    """The task of an interrupted `loop.run_until_complete()` must not continue between cells."""
    entry = problem.__traceback__
    while entry is not None:
        code, names = entry.tb_frame.f_code, entry.tb_frame.f_locals
        if code.co_name == "run_until_complete" and code.co_filename.startswith(_LOOP_FILES):
            if names["self"].is_running():
                _leave(names["self"])
            future = names.get("future")
            if asyncio.isfuture(future) and not future.get_loop().is_closed():
                future.cancel()
        entry = entry.tb_next


def _leave(loop) -> None:
    """A second interrupt hit the end of the run: reset the loop's state, or it would still count as running."""
    if hasattr(loop, "_run_forever_cleanup"):  # since Python 3.12
        loop._run_forever_cleanup()
    else:
        loop._stopping, loop._thread_id = False, None
        asyncio._set_running_loop(None)


def run_until_readable(fd: int) -> None:
    """Between cells: run tasks until the host sends a request."""
    loop = current()
    wanted = []

    def stop() -> None:
        if not wanted:
            wanted.append(True)
            loop.remove_reader(fd)  # at once: uvloop would keep a second stop() for the next run
            loop.stop()

    try:
        loop.add_reader(fd, stop)
    except NotImplementedError:
        return  # the user's loop has no readers: its tasks continue only while cells await
    try:
        while not wanted and not loop.is_closed():
            try:
                loop.run_forever()
            except BaseException as problem:  # a task raised SystemExit or KeyboardInterrupt: other tasks continue
                loop.call_exception_handler({"message": "A task ended with %r" % problem, "exception": problem})
    finally:
        if not wanted and not loop.is_closed():
            loop.remove_reader(fd)


def of_copy() -> "asyncio.AbstractEventLoop | None":
    """In a copy of the kernel, where asyncio may have forgotten it: the loop that was current between the cells."""
    return _latest


def after_fork() -> None:
    """A forked child makes its own loop, because both would wait on one selector. From Python 3.12 on asyncio does this."""
    global _parents, _ours, _policy
    _parents = _ours  # kept, because a freed loop closes its selector
    is_ours = _policy is not None and _loop_set_in(_policy) is _ours
    if is_ours and hasattr(_policy, "_local"):
        _policy._local = type(_policy._local)()
    _ours = _policy = None
