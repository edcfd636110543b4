"""%timeit and %%timeit: many runs."""

from __future__ import annotations

import re
import statistics
import timeit

from .call import MagicCall
from .durations import readable
from .usage_error import UsageError

_OPTION = re.compile(r"-([nrp])\s*(\d+)\s*|-([tcqov]+)(?:\s+|$)")


class TimeitResult:
    """What `%timeit -o` gives: seconds per loop."""

    def __init__(self, loops: int, repeat: int, totals: list[float], digits: int) -> None:
        self.loops = loops
        self.repeat = repeat
        self.all_runs = totals
        self.timings = [total / loops for total in totals]
        self.best = min(self.timings)
        self.worst = max(self.timings)
        self.average = statistics.mean(self.timings)
        self.stdev = statistics.pstdev(self.timings)
        self._digits = digits

    def __str__(self) -> str:
        runs = "1 run" if self.repeat == 1 else f"{self.repeat} runs"
        loops = "1 loop" if self.loops == 1 else f"{self.loops:,} loops"
        mean, spread = readable(self.average, self._digits), readable(self.stdev, self._digits)
        return f"{mean} ± {spread} per loop (mean ± std. dev. of {runs}, {loops} each)"

    def __repr__(self) -> str:
        return f"<TimeitResult : {self}>"


def timeit_line(call: MagicCall) -> TimeitResult | None:
    """Time a statement over many runs: `%timeit [-n LOOPS] [-r REPEATS] [-q] [-o] statement`."""
    options, code = _options(call.text)
    if not code:
        raise UsageError("%timeit needs something to run, for example: %timeit sum(range(1000))")
    return _measure(call, options, code, "pass")


def timeit_cell(call: MagicCall) -> TimeitResult | None:
    """Time the cell over many runs; code on the first line is run once before, as set-up."""
    options, setup = _options(call.text)
    if not call.body.strip():
        raise UsageError("%%timeit needs something to run below it.")
    return _measure(call, options, call.body, setup or "pass")


def _options(text: str) -> tuple[dict[str, int], str]:
    options: dict[str, int] = {}
    while True:
        match = _OPTION.match(text)
        if match is None:
            return options, text
        if match[1]:
            options[match[1]] = int(match[2])
        else:
            options.update((flag, 1) for flag in match[3])
        text = text[match.end() :]


def _measure(call: MagicCall, options: dict[str, int], code: str, setup: str) -> TimeitResult | None:
    timer = timeit.Timer(code, setup, globals=call.namespace)
    loops = options.get("n") or timer.autorange()[0]
    repeat = options.get("r", 7)
    result = TimeitResult(loops, repeat, timer.repeat(repeat, loops), options.get("p", 3))
    if "q" not in options:
        print(result)
    return result if "o" in options else None
