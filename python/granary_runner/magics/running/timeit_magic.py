"""%timeit and %%timeit: many runs."""

from __future__ import annotations

import ast
import re
import statistics
import sys
import time
import timeit

from ...cells.compiling import as_python, tree_transformers
from ..call import MagicCall
from ..syntax.usage_error import UsageError
from .durations import readable

_OPTION = re.compile(r"-([nrp])\s*(\d+)\s*|-(v)\s*([^\W\d]\w*)\s*|-([tcqo]+)(?:\s+|$)")
_TIMERS = {"t": time.time, "c": time.process_time}
_USAGE = "[-n LOOPS] [-r REPEATS] [-p DIGITS] [-t] [-c] [-q] [-o] [-v NAME] statement"


class TimeitResult:
    """The result of `%timeit -o`: seconds per loop."""

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
    """Time a statement over many runs: `%timeit [-n LOOPS] [-r REPEATS] [-p DIGITS] [-t] [-c] [-q] [-o] [-v NAME] statement`.

    -t measures with `time.time`, -c processor time; -q prints nothing, -o returns the result, -v stores it under a name.
    """
    options, code = _options(call)
    if not code:
        raise UsageError("%timeit needs something to run, for example: %timeit sum(range(1000))")
    return _measure(call, options, code, "pass")


def timeit_cell(call: MagicCall) -> TimeitResult | None:
    """Time the cell over many runs; code on the first line is run once before, as set-up."""
    options, setup = _options(call)
    if not call.body.strip():
        raise UsageError("%%timeit needs something to run below it.")
    return _measure(call, options, call.body, setup or "pass")


def _options(call: MagicCall) -> tuple[dict, str]:
    """Read from the text itself: the rest is code, not words of a shell."""
    options: dict = {}
    text = call.text
    while True:
        match = _OPTION.match(text)
        if match is None:
            break
        if match[1]:
            options[match[1]] = int(match[2])
        elif match[3]:
            options["v"] = match[4]
        else:
            options.update((flag, True) for flag in match[5])
        text = text[match.end() :]
    if re.match(r"-+[^\W\d]", text):
        mark = "%%" if call.is_cell else "%"
        remedy = f"Put code that begins with a minus into brackets. Usage: {mark}timeit {_USAGE}"
        raise UsageError(f"{mark}timeit has no option {text.split()[0]}. {remedy}")
    return options, text


def _measure(call: MagicCall, options: dict, code: str, setup: str) -> TimeitResult | None:
    clock = next((_TIMERS[flag] for flag in "ct" if flag in options), timeit.default_timer)
    timer = timeit.Timer(_python(code), _python(setup), clock, call.namespace)
    loops = options.get("n") or timer.autorange()[0]
    repeat = options.get("r", 7)
    result = TimeitResult(loops, repeat, timer.repeat(repeat, loops), options.get("p", 3))
    if "v" in options:
        call.namespace[options["v"]] = result
    if "q" not in options:
        print(result)
    return result if "o" in options else None


def _python(code: str) -> str:
    python = as_python(code, timeit.dummy_src_name)
    if not tree_transformers or sys.version_info < (3, 9):  # `ast.unparse` came with 3.9
        return python
    from ...user_transformers import transformed_tree

    return ast.unparse(transformed_tree(ast.parse(python), tree_transformers))
