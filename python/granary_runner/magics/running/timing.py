"""%time and %%time: one run."""

from __future__ import annotations

import time

from ...cells import execute
from ..call import MagicCall
from ..syntax.usage_error import UsageError
from .durations import readable
from .timeit_magic import timeit_cell, timeit_line

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]


class Stopwatch:
    def __init__(self) -> None:
        self._user, self._system = _cpu_times()
        self._wall = time.perf_counter()

    def report(self) -> None:
        wall = time.perf_counter() - self._wall
        user, system = (now - before for now, before in zip(_cpu_times(), (self._user, self._system)))
        print(f"CPU times: user {readable(user)}, sys: {readable(system)}, total: {readable(user + system)}")
        print(f"Wall time: {readable(wall)}")


def _cpu_times() -> tuple[float, float]:
    if resource is None:
        return time.process_time(), 0.0
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime, usage.ru_stime


def _time_line(call: MagicCall) -> object:
    """Run a statement or an expression once, and print its duration: `%time f(x)`."""
    if not call.text:
        raise UsageError("%time needs something to run, for example: %time f(x). For a whole cell use %%time.")
    watch = Stopwatch()
    value = execute.run_source(call.text, call.file, False, call.namespace, call.first_line)
    watch.report()
    return value


def _time_cell(call: MagicCall) -> object:
    """Run the cell, and print its duration; the result follows."""
    if call.text:
        raise UsageError("%%time takes no code on its own line: put it below, or use %time for a single line.")
    watch = Stopwatch()
    value = execute.run_source(call.body, call.file, False, call.namespace, call.first_line)
    watch.report()
    return value


LINE = {"time": _time_line, "timeit": timeit_line}
CELL = {"time": _time_cell, "timeit": timeit_cell}
