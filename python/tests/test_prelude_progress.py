"""progress(), and the package as a whole."""

from __future__ import annotations

import builtins
import unittest
from unittest.mock import patch

import granary_prelude
from granary_prelude import progress, progress_report

from tests.prelude_test import PreludeTest


class Clock:
    """A clock that a test advances by a tenth of a second."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now


class Progress(PreludeTest):
    def setUp(self) -> None:
        super().setUp()
        self.clock = Clock()
        change = patch.object(progress_report, "time", self.clock)
        change.start()
        self.addCleanup(change.stop)

    def counts(self) -> list:
        return [(event["done"], event["total"], event["state"]) for event in self.told]

    def test_over_items_it_tells_the_beginning_the_end_and_now_and_then_between(self):
        for item in progress(["a", "b", "c"], "Letters"):
            self.clock.now += 0.1 if item == "b" else 0.01
        self.assertEqual(self.counts(), [(0, 3, "running"), (2, 3, "running"), (3, 3, "finished")])
        self.assertEqual({event["title"] for event in self.told}, {"Letters"})
        self.assertEqual(len({event["id"] for event in self.told}), 1)

    def test_it_tells_how_long_it_has_taken_since_it_began(self):
        task = progress(4)
        self.clock.now += 100  # made long before
        with task:
            for _ in range(4):
                self.clock.now += 1.5
                task.advance()
        self.assertEqual([event["seconds"] for event in self.told], [0, 1.5, 3, 4.5, 6, 6])

    def test_each_event_takes_the_place_of_the_one_before(self):
        list(progress("ab"))
        task = self.told[0]["id"]
        self.assertEqual(
            [options for _, options in self.displays],
            [{"display_id": task}, {"display_id": task, "update": True}],
        )

    def test_a_loop_that_is_left_or_fails_has_stopped(self):
        for _ in progress(iter("abc")):
            break
        with self.assertRaises(ZeroDivisionError):
            for _ in progress("abc"):
                1 / 0
        self.assertEqual([one for one in self.counts() if one[2] == "stopped"], [(0, None, "stopped"), (0, 3, "stopped")])

    def test_counted_by_oneself(self):
        with progress(10) as task:
            self.clock.now += 1
            task.advance()
            task.advance(9)
        self.assertEqual(self.counts(), [(0, 10, "running"), (1, 10, "running"), (10, 10, "finished")])
        with self.assertRaises(KeyError), progress(None, "No end"):
            raise KeyError
        self.assertEqual(self.counts()[-1], (0, None, "stopped"))

    def test_a_number_cannot_be_iterated_and_the_error_says_what_to_do(self):
        with self.assertRaisesRegex(TypeError, "counts by advance"):
            list(progress(3))

    def test_it_can_be_looked_at(self):
        self.assertEqual(repr(progress(3, "Work")), "Work: 0 of 3")
        self.assertEqual(repr(progress(None)), "progress: 0")


class Package(unittest.TestCase):
    def test_install_puts_every_helper_into_builtins_and_nothing_else(self):
        before = set(dir(builtins))
        self.addCleanup(lambda: [delattr(builtins, name) for name in granary_prelude.__all__])
        granary_prelude.install()
        self.assertEqual(set(dir(builtins)) - before, set(granary_prelude.__all__))

    def test_without_anybody_who_displays_helpers_work_and_tell_nobody(self):
        self.assertFalse(hasattr(builtins, "display"))
        self.assertEqual(list(progress("ab")), ["a", "b"])


if __name__ == "__main__":
    unittest.main()
