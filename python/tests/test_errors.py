"""An error is told even where Python's own formatter, or the exception's own code, fails."""

from __future__ import annotations

import os
import sys
import unittest
from unittest import mock

from granary_runner.cells import main_module
from granary_runner.cells.errors import describe


def raised(source: str) -> BaseException:
    """The exception that the source raises, as a cell."""
    main_module.remember("<cell 1>", source)
    try:
        exec(compile(source, "<cell 1>", "exec"), {})
    except BaseException as problem:
        return problem
    raise AssertionError("nothing was raised")


WITHOUT_POSITIONS = """
def connect():
    raise OSError(101, 'Network is unreachable')

connect.__code__ = connect.__code__.replace(co_linetable=b'')
connect()
"""


class AnError(unittest.TestCase):
    @unittest.skipIf(sys.version_info < (3, 11), "code has no positions before Python 3.11")
    def test_in_code_without_positions_has_its_frames_its_message_and_its_hint(self):
        said = '{"mode": "workspace", "network": "off"}'
        with mock.patch.dict(os.environ, {"GRANARY_SANDBOX": said}):
            name, message, lines = describe(raised(WITHOUT_POSITIONS))
        self.assertEqual((name, message), ("OSError", "[Errno 101] Network is unreachable"))
        self.assertEqual(lines[1:2] + lines[4:6], ["  [without positions and causes: RuntimeError: generator raised StopIteration]", '  File "<cell 1>", line 6, in <module>', "    connect()"])
        self.assertEqual(lines[-2], "OSError: [Errno 101] Network is unreachable")
        self.assertIn("python.sandboxNetwork is off", lines[-1])

    @unittest.skipIf(sys.version_info < (3, 11), "code has no positions before Python 3.11")
    def test_in_code_without_positions_has_its_last_frames_after_deep_recursion(self):
        source = WITHOUT_POSITIONS.replace("\nconnect()", "\ndef deep(n): deep(n - 1) if n else connect()\ndeep(200)")
        lines = describe(raised(source))[2]
        self.assertEqual(lines[2], "  [174 more frames]")
        self.assertEqual(lines[-1], "OSError: [Errno 101] Network is unreachable")

    def test_whose_own_description_fails_is_told_as_others_are(self):
        source = "class Broken(Exception):\n    def _render_traceback_(self): return 1 / 0\nraise Broken('why')"
        self.assertEqual(describe(raised(source))[2][-1], "Broken: why")

    def test_whose_message_and_attributes_fail_has_its_name(self):
        source = "class Broken(Exception):\n    def __str__(self): return 1 / 0\n    stderr = property(__str__)\nraise Broken"
        with mock.patch.dict(os.environ, {"GRANARY_SANDBOX": "{}"}):
            self.assertTrue(describe(raised(source))[2][-1].startswith("Broken: <"))
