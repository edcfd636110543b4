"""A thread that is ending does not prevent a checkpoint, however long the machine takes to end it."""

from __future__ import annotations

import os
import threading
import unittest
from unittest.mock import patch

from granary_runner.checkpoints import obstacles


class PassingThreads(unittest.TestCase):
    def looks_until_given_up(self, is_running) -> int:
        looks = 0

        def look():
            nonlocal looks
            looks += 1
            return {"7": "python"} if looks <= 60 else {}

        with patch.object(obstacles, "_is_another_running", is_running), patch.object(obstacles, "_PAUSE", 0):
            found = obstacles._unless_it_passes(look)
        return looks if found else -1

    def test_one_that_waits_for_a_processor_is_waited_for(self):
        self.assertEqual(self.looks_until_given_up(lambda: True), -1)

    def test_one_that_sleeps_belongs_to_a_library(self):
        self.assertEqual(self.looks_until_given_up(lambda: False), 1 + obstacles._LOOKS)

    def test_one_that_never_stops_running_is_not_waited_for_for_ever(self):
        with patch.object(obstacles, "_LONGEST", -1):
            self.assertEqual(self.looks_until_given_up(lambda: True), 1 + obstacles._LOOKS)

    @unittest.skipUnless(os.path.isdir(obstacles._TASKS), "there is no /proc here")
    def test_the_system_says_whether_a_thread_runs(self):
        stop = threading.Event()
        sleeper = threading.Thread(target=stop.wait)
        sleeper.start()
        try:
            self.assertIn(obstacles._state_of(str(sleeper.native_id)), ("S", "R", "D"))
            self.assertIsNone(obstacles._state_of("none"))
        finally:
            stop.set()
            sleeper.join()


if __name__ == "__main__":
    unittest.main()
