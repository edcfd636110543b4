"""Without a terminal, rich draws its bars only at their end: until then, they are sent as events, like those of `progress()`."""

from __future__ import annotations

import os
import time

from ...wire import emit

_MIME = "application/x-granary-status"
_INTERVAL = 0.1  # seconds


def adapt(module) -> None:
    progress = module.Progress
    stop = progress.stop

    def stop_and_tell(self) -> None:
        stop(self)
        for task_id in list(vars(self).get("_granary_told", ())):
            _tell(self, task_id, is_over=True)

    progress.advance = _told(progress.advance)
    progress.update = _told(progress.update)
    progress.stop = stop_and_tell


def _told(method):
    def tell_afterwards(self, task_id, *args, **kwargs):
        result = method(self, task_id, *args, **kwargs)
        _tell(self, task_id)
        return result

    tell_afterwards.__name__, tell_afterwards.__doc__ = method.__name__, method.__doc__
    return tell_afterwards


def _tell(progress, task_id, is_over: bool = False) -> None:
    task = progress._tasks.get(task_id)
    if task is None or progress.disable or progress.console.is_terminal:
        return
    told = vars(progress).setdefault("_granary_told", {})  # task -> the id of its display, and when it was sent
    display_id, told_at = told.get(task_id, (None, 0.0))
    now = time.monotonic()
    if not is_over and now - told_at < _INTERVAL:
        return
    name = display_id or "granary-progress-" + os.urandom(8).hex()
    told[task_id] = (name, now)
    state = "running" if not is_over else "finished" if task.finished else "stopped"
    facts = {"title": _plain(task.description), "done": task.completed, "total": task.total, "seconds": task.elapsed}
    data = {_MIME: {"op": "progress", "id": name, "state": state, **facts}}
    # A page, because a notebook has the bar itself.
    emit.display(data, {}, name, update=display_id is not None, page=True)


def _plain(description: str) -> str:
    """Without markup such as `[red]`."""
    from rich.text import Text

    try:
        return Text.from_markup(description).plain
    except Exception:
        return description
