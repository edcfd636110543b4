"""`%run -p`: where a script spends its time."""

from __future__ import annotations

import cProfile
import pstats
import sys

from ..syntax.usage_error import UsageError


class Profile:
    """`watch` runs a function under Python's profiler, `report` prints the profile."""

    def __init__(self, sort: str, limit: str | None) -> None:
        keys = pstats.Stats.sort_arg_dict_default
        if sort not in keys:
            raise UsageError(f"-s takes a column of the profile, and got: {sort}. There are: {', '.join(keys)}")
        if limit is not None and not limit.isdigit():
            raise UsageError(f"-l takes a number of lines, and got: {limit}")
        self._sort = sort
        self._limit = [] if limit is None else [int(limit)]
        self._profiler = cProfile.Profile()

    def watch(self, action):
        return self._profiler.runcall(action)

    def report(self) -> None:
        self._profiler.create_stats()
        if self._profiler.stats:
            statistics = pstats.Stats(self._profiler, stream=sys.stdout)
            _leave_out_ours(statistics)
            statistics.sort_stats(self._sort).print_stats(*self._limit)


def _leave_out_ours(statistics) -> None:
    """Without the function of %run that starts the script."""
    ours = __file__.rpartition("/")[0] + "/"
    functions = statistics.stats
    for place in [place for place in functions if place[0].startswith(ours)]:
        primitive, calls, own_time, _, _ = functions.pop(place)
        statistics.prim_calls -= primitive
        statistics.total_calls -= calls
        statistics.total_tt -= own_time
        statistics.top_level.discard(place)
