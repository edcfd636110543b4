"""`progress()`: reports a task's progress a few times a second, however fast it runs."""

from __future__ import annotations

import os
import time
from typing import Iterable, Iterator

from . import status

_INTERVAL = 0.1  # seconds


class Progress:
    """Iterates over `work`, or counts up to it with `advance`."""

    def __init__(self, work: "Iterable | int | None", title: "str | None" = None) -> None:
        is_number = work is None or isinstance(work, (int, float))
        self.done = 0
        self.total = work if is_number else _length(work)
        self.title = title
        self._items = None if is_number else work
        self._id = f"granary-progress-{os.urandom(8).hex()}"
        self._told_at: "float | None" = None
        self._began_at = time.monotonic()

    def advance(self, steps: int = 1) -> None:
        self.done += steps
        self._tell_now_and_then()

    def __iter__(self) -> Iterator:
        if self._items is None:
            raise TypeError("progress() over a number counts by advance(); to iterate, give it something with items")
        with self:
            for item in self._items:
                yield item
                self.advance()

    def __enter__(self) -> Progress:
        self._began_at = time.monotonic()
        self._tell_now_and_then()
        return self

    def __exit__(self, kind, problem, traceback) -> None:
        self._tell("finished" if kind is None else "stopped")

    def __repr__(self) -> str:
        of_total = "" if self.total is None else f" of {self.total}"
        return f"{self.title or 'progress'}: {self.done}{of_total}"

    def _tell_now_and_then(self) -> None:
        if self._told_at is None or time.monotonic() - self._told_at >= _INTERVAL:
            self._tell("running")

    def _tell(self, state: str) -> None:
        is_first = self._told_at is None
        self._told_at = time.monotonic()
        seconds = round(self._told_at - self._began_at, 3)
        facts = {"title": self.title, "done": self.done, "total": self.total, "state": state, "seconds": seconds}
        status.tell_again(self._id, is_first, "progress", **facts)


def _length(items: Iterable) -> "int | None":
    try:
        return len(items)  # type: ignore[arg-type]
    except TypeError:
        return None
