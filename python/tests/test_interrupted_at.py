import sys
import traceback
import unittest

from granary_runner.cells import main_module
from granary_runner.cells.errors import describe


def interrupted(source, **names):
    """The exception that the source raises, as a cell."""
    main_module.remember("<cell 1>", source)
    try:
        exec(compile(source, "<cell 1>", "exec"), dict(names))
    except BaseException as problem:
        return problem


def without_carets(lines):
    return [line for line in lines if set(line.strip()) - set("~^")]


class AnInterrupt(unittest.TestCase):
    def test_is_shown_as_python_shows_it_without_carets(self):
        problem = interrupted("def f():\n    x = [1, raise_one()]\n\nf()", raise_one=raise_one)
        own = "".join(traceback.format_exception(type(problem), problem, problem.__traceback__)).rstrip().split("\n")
        self.assertEqual(describe(problem), ("KeyboardInterrupt", "", without_carets(own)))

    def test_in_deep_recursion_is_folded(self):
        problem = interrupted("def f(n):\n    f(n - 1) if n else stop()\n\nf(200)", stop=raise_one)
        self.assertIn("repeated", "\n".join(describe(problem)[2]))

    def test_with_a_message_keeps_it(self):
        problem = interrupted("raise KeyboardInterrupt('stop here')")
        self.assertEqual(describe(problem)[1], "stop here")
        self.assertEqual(describe(problem)[2][-1], "KeyboardInterrupt: stop here")

    def test_during_another_exception_shows_both(self):
        problem = interrupted("try:\n    1 / 0\nfinally:\n    stop()", stop=raise_one)
        self.assertIn("ZeroDivisionError: division by zero", describe(problem)[2])

    @unittest.skipIf(sys.version_info < (3, 11), "exceptions have notes from Python 3.11 on")
    def test_with_a_note_keeps_it(self):
        problem = interrupted("e = KeyboardInterrupt()\ne.add_note('noted')\nraise e")
        self.assertIn("noted", describe(problem)[2])


def raise_one():
    raise KeyboardInterrupt
