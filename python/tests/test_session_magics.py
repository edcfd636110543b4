"""Magics about the session itself: names that are forgotten, saved cells, other names for magics, folders to go back to."""

from __future__ import annotations

import os
import sys
import unittest
from unittest.mock import patch

from granary_runner.cells import execute
from granary_runner.magics import registered
from granary_runner.magics.syntax.usage_error import UsageError

from .standins import NotebookTest


class Forgetting(NotebookTest):
    def test_reset_selective_forgets_the_names_in_which_a_pattern_is_found(self):
        self.run_cell("apple = 1\nbanana = 2\ngrape = 3\n%reset_selective -f ap")
        self.assertEqual([name for name in self.names if not name.startswith("__")], ["banana"])

    def test_reset_selective_needs_a_pattern_that_is_one(self):
        for line in ("%reset_selective", "%reset_selective (", "%reset_selective a b"):
            with self.assertRaisesRegex(UsageError, "%reset_selective"):
                self.run_cell("x = 1\n" + line)
            self.assertIn("x", self.names)

    def test_xdel_frees_a_value_that_results_and_other_names_hold(self):
        self.run_cell("ended = []\nclass Thing:\n    def __del__(self): ended.append(1)\nthing = other = Thing()")
        execute.outputs[7] = self.names["thing"]
        self.run_cell("%xdel thing")
        self.assertEqual((self.names["ended"], "other" in self.names, 7 in execute.outputs), ([1], False, False))

    def test_xdel_frees_a_value_that_a_script_has_made(self):
        self.write("made.py", "class Thing:\n    ended = []\n    def __del__(self): self.ended.append(1)\nthing = Thing()\n")
        self.run_cell("%run made.py\n%xdel thing")
        self.assertEqual(self.names["Thing"].ended, [1])

    def test_xdel_of_one_name_leaves_the_others(self):
        self.run_cell("a = b = [1]\n%xdel -n a")
        self.assertEqual(("a" in self.names, self.names["b"]), (False, [1]))
        with self.assertRaisesRegex(UsageError, "one name that you have defined"):
            self.run_cell("%xdel missing")


class Saving(NotebookTest):
    def setUp(self):
        super().setUp()
        inputs = patch.object(execute, "inputs", ["", "a = 1", "def f():\n    return a", "%time f()", "%save …"])
        inputs.start()
        self.addCleanup(inputs.stop)

    def test_cells_are_saved_as_typed(self):
        self.run_cell("%save all")
        self.assertEqual(self.read("all.py"), "# coding: utf-8\na = 1\ndef f():\n    return a\n%time f()\n")
        self.run_cell("%save some.py 1 3")
        self.assertEqual(self.read("some.py"), "# coding: utf-8\na = 1\n%time f()\n")

    def test_a_file_that_exists_is_overwritten_or_appended_to_only_when_asked(self):
        self.write("x.py", "kept\n")
        with self.assertRaisesRegex(UsageError, "x.py exists. -f overwrites it, -a appends"):
            self.run_cell("%save x.py 1")
        self.run_cell("%save -a x.py 1")
        self.assertEqual(self.read("x.py"), "kept\na = 1\n")
        self.run_cell("%save -f x.py 1")
        self.assertEqual(self.read("x.py"), "# coding: utf-8\na = 1\n")

    def test_what_is_no_range_is_refused_before_anything_is_written(self):
        for line in ("%save", "%save x.py one"):
            with self.assertRaisesRegex(UsageError, "%save"):
                self.run_cell(line)
        self.assertEqual(os.listdir(), [])

    def test_history_takes_several_letters_and_a_file_in_one_word(self):
        self.run_cell("%history -pof hist.py 1-2")
        self.assertEqual(self.read("hist.py"), ">>> a = 1\n>>> def f():\n...     return a\n")


class OtherNames(NotebookTest):
    def setUp(self):
        super().setUp()
        for table in (registered.LINE, registered.CELL):
            saved = patch.dict(table)
            saved.start()
            self.addCleanup(saved.stop)

    def test_an_alias_does_what_the_magic_does(self):
        self.run_cell("%alias_magic t time\n%t 1")
        self.assertIn("Wall time", self.stdout)
        self.run_cell("%%t\nx = 5")
        self.assertEqual(self.names["x"], 5)

    def test_an_alias_of_one_kind_with_parameters(self):
        self.run_cell("%alias_magic --cell put writefile -p -a")
        self.run_cell("%%put log.txt\none")
        self.run_cell("%%put log.txt\ntwo")
        self.assertEqual(self.read("log.txt"), "one\ntwo\n")
        with self.assertRaisesRegex(UsageError, "%put does not exist, but %%put does"):
            self.run_cell("%put log.txt")

    def test_an_alias_of_nothing_is_refused(self):
        for line in ("%alias_magic a nonesuch", "%alias_magic -c a pwd", "%alias_magic a"):
            with self.assertRaisesRegex(UsageError, "%alias_magic"):
                self.run_cell(line)


class Folders(NotebookTest):
    def test_popd_goes_back_to_where_pushd_was_called(self):
        os.makedirs("a/b")
        self.assertEqual(self.run_cell("%pushd a"), [self.folder])
        self.assertEqual(self.run_cell("%pushd b"), [os.path.join(self.folder, "a"), self.folder])
        self.assertEqual(self.run_cell("%dirs"), [os.path.join(self.folder, "a"), self.folder])
        self.assertEqual(os.getcwd(), os.path.join(self.folder, "a", "b"))
        self.run_cell("%popd")
        self.assertEqual(os.getcwd(), os.path.join(self.folder, "a"))
        self.run_cell("%popd")
        self.assertEqual(os.getcwd(), self.folder)
        with self.assertRaisesRegex(UsageError, "the stack is empty"):
            self.run_cell("%popd")


class PartsOfHelp(NotebookTest):
    def shown(self, line):
        self.run_cell(line)
        return self.notebook.displays[-1]["text/plain"]

    def test_each_shows_its_part(self):
        self.run_cell("import textwrap")
        self.assertTrue(self.shown("%pdoc textwrap.dedent").startswith("Remove any common leading whitespace"))
        self.assertTrue(self.shown("%psource textwrap.dedent").startswith("def dedent(text):"))
        self.assertEqual(self.shown("%pdef textwrap.dedent"), "textwrap.dedent(text)")
        self.assertIn("class TextWrapper", self.shown("%pfile textwrap.dedent"))
        self.assertEqual(self.shown("%psearch dict.fr*"), "dict.fromkeys")
        self.assertEqual(self.shown("%psource len"), "No source found for len.")

    def test_less_shows_a_file_and_needs_one(self):
        self.write("notes.txt", "one\ntwo\n")
        self.assertEqual(self.shown("%less notes.txt"), "one\ntwo\n")
        self.assertEqual(self.stdout, "")
        for line in ("%less", "%more -x notes.txt"):
            with self.assertRaises(UsageError):
                self.run_cell(line)

    def test_a_name_is_needed_that_is_defined(self):
        for line in ("%pdoc", "%psource missing", "%psearch"):
            with self.assertRaises(UsageError):
                self.run_cell(line)

    def test_magic_shows_what_every_magic_does(self):
        text = self.shown("%magic")
        self.assertIn("%timeit\nTime a statement", text)
        self.assertIn("%%writefile\nWrite the cell", text)


class Scripts(NotebookTest):
    def test_patterns_become_file_names_unless_they_are_quoted(self):
        self.write("args.py", "import sys\nargs = sys.argv[1:]\n")
        for name in ("one.txt", "two.txt"):
            self.write(name, "")
        for line, args in (
            ("%run args.py *.txt", ["one.txt", "two.txt"]),
            ("%run args.py -x t*.txt none*", ["-x", "two.txt", "none*"]),
            ("%run args.py '*.txt' \"*.txt\" \\*.txt", ["*.txt"] * 3),
            ("%run -G args.py *.txt", ["*.txt"]),
            ("%run -m args -- -x *.txt", ["-x", "one.txt", "two.txt"]),
        ):
            self.run_cell(line)
            self.assertEqual(self.names["args"], args, line)


class Debugging(NotebookTest):
    def debug(self, line):
        with patch("builtins.input", side_effect=["c", "c", "c"]), patch("sys.stdin.readline", side_effect=["c\n"] * 3):
            self.run_cell(line)
        return self.stdout

    def test_code_stops_at_a_breakpoint_in_a_file(self):
        self.write("with blank/stepped.py", "def f(x):\n    y = x + 1\n    return y\n")
        self.run_cell("import sys\nsys.path.insert(0, 'with blank')\nfrom stepped import f")
        self.addCleanup(sys.modules.pop, "stepped", None)
        shown = self.debug("%debug --breakpoint 'with blank/stepped.py:3' f(1)")
        self.assertIn("stepped.py(3)f()", shown)
        self.assertNotIn("stepped.py(2)f()", shown)

    def test_a_breakpoint_where_no_code_is_is_refused(self):
        with self.assertRaisesRegex(UsageError, "no breakpoint at missing.py:3"):
            self.run_cell("%debug -b missing.py:3 1")


class Values(NotebookTest):
    def test_whos_shows_the_beginning_and_the_end_of_a_long_text(self):
        self.run_cell("a = 'one\\ntwo'\nb = 'x' * 30 + 'y' * 30\n%whos")
        self.assertEqual(self.stdout.splitlines(), [
            "Variable   Type    Data/Info",
            "----------------------------",
            r"a          str     one\ntwo",
            "b          str     " + "x" * 25 + "<...>" + "y" * 25,
        ])


if __name__ == "__main__":
    unittest.main()
