"""%time, %timeit and %prun."""

from __future__ import annotations

import os
import sys
import traceback
import unittest

from granary_runner.magics import table
from granary_runner.magics.syntax.usage_error import UsageError

from tests.standins import NotebookTest


class Timing(NotebookTest):
    TIMES = r"CPU times: user .*, sys: .*, total: .*\nWall time: .*s\n"

    def test_time_gives_the_value_and_prints_the_times(self):
        self.assertEqual(self.run_cell("%time sum(range(10))"), 45)
        self.assertRegex(self.stdout, f"^{self.TIMES}$")
        self.run_cell("x = %time 'a {b} $c'\n%time y = 2")
        self.assertEqual((self.names["x"], self.names["y"]), ("a {b} $c", 2))
        self.assertIsNone(self.run_cell("%time 1;"))

    def test_time_in_a_function_sees_local_names(self):
        self.assertEqual(self.run_cell("def f(a):\n    r = %time a + 1\n    return r\nf(1)"), 2)

    def test_time_of_a_cell(self):
        # The result is the magic's, so it comes after the times.
        self.assertEqual(self.run_cell("%%time\nz = 1\nprint('in')\nz + 1"), 2)
        self.assertRegex(self.stdout, f"^in\n{self.TIMES}$")
        self.assertEqual((self.names["z"], self.notebook.results), (1, []))
        self.assertIsNone(self.run_cell("%%time\n1;"))

    def test_an_error_in_a_timed_cell_points_at_its_line(self):
        try:
            self.run_cell("\n%%time\n1\n1/0")
        except ZeroDivisionError as problem:
            lines = [(place.filename, place.lineno) for place in traceback.extract_tb(problem.__traceback__)]
        self.assertIn(("<cell 1>", 4), lines)

    def test_magics_may_be_nested(self):
        self.run_cell("%%time\n%%capture out\nprint('a')\n!echo b")
        self.assertEqual(self.names["out"].stdout, "a\nb\n")

    def test_timeit(self):
        self.run_cell("x = 2\n%timeit -n 3 -r2 x + 1")
        self.assertRegex(self.stdout, r"^.* ± .* per loop \(mean ± std. dev. of 2 runs, 3 loops each\)\n$")
        result = self.run_cell("%timeit -q -o -n 1 -r 1 [i for i in range(x)]")
        self.assertEqual((self.stdout, result.loops, result.repeat, len(result.timings)), ("", 1, 1, 1))

    def test_timeit_of_a_command_and_of_magics(self):
        self.run_cell("%timeit -n1 -r2 !echo run >> log")
        self.assertEqual(self.read("log"), "run\nrun\n")
        self.run_cell("%%timeit -n1 -r1 x = !echo set\n!echo {x[0]} >> log2\n%time 1")
        self.assertIn("per loop", self.stdout)

    def test_nothing_is_shown_of_a_timed_value_that_a_semicolon_ends(self):
        for line in ("%time 1 + 1;", "%time 1 + 1 ;  ", "%time 1 + 1;  # why"):
            self.assertIsNone(self.run_cell(line))
        self.assertEqual(self.run_cell("%time ';'"), ";")

    def test_timeit_of_a_cell_runs_its_first_line_once_per_run_as_set_up(self):
        self.run_cell("calls = []\nsetups = []")
        self.run_cell("%%timeit -n 5 -r 1 setups.append(1)\ncalls.append(1)\ncalls.append(2)")
        self.assertEqual((len(self.names["setups"]), len(self.names["calls"])), (1, 10))


class Profiling(NotebookTest):
    def profiled(self) -> str:
        return self.notebook.displays.pop()["text/plain"]

    def test_prun_shows_where_the_time_goes_and_nothing_of_granary(self):
        self.run_cell("def work(text): return sorted(text)\n%prun -s cumulative work('a b -c')")
        text = self.profiled()
        self.assertIn("(work)", text)
        self.assertIn("Ordered by: cumulative time", text)
        self.assertNotIn("granary", text)

    def test_prun_limits_returns_and_writes(self):
        result = self.run_cell("%prun -q -r -l 2 -T table.txt -D stats.bin sum([1])")
        self.assertEqual((type(result).__name__, self.notebook.displays), ("Stats", []))
        self.assertIn("due to restriction <2>", self.read("table.txt"))
        self.assertTrue(os.path.getsize("stats.bin"))

    def test_prun_of_a_cell_keeps_its_names(self):
        self.run_cell("%%prun -q\nx = 1\ny = x + 1")
        self.assertEqual(self.names["y"], 2)

    def test_prun_refuses_what_it_does_not_know(self):
        for line, why in (("", "needs something to run"), ("--fast f()", "has no option --fast"), ("-s nonsense 1", "does not know")):
            with self.assertRaisesRegex(UsageError, why):
                self.run_cell("%prun " + line)


if __name__ == "__main__":
    unittest.main()
