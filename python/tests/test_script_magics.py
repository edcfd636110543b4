"""%run and %load."""

from __future__ import annotations

import json
import os
import sys
import traceback
import unittest

from granary_runner.magics.syntax.usage_error import UsageError

from tests.standins import NotebookTest


class Scripts(NotebookTest):
    def test_run_is_like_a_program_and_its_names_stay(self):
        self.write(
            "tool/job.py",
            "import sys, helper, pickle\n"
            "class C: pass\n"
            "pickle.dumps(C())\n"
            "if __name__ == '__main__':\n    print(sys.argv, helper.N)\n",
        )
        self.write("tool/helper.py", "N = 5\n")
        self.addCleanup(sys.modules.pop, "helper", None)
        argv = list(sys.argv)
        self.run_cell("mine = 1\n%run tool/job.py --n 3")
        self.assertEqual(self.stdout, "['tool/job.py', '--n', '3'] 5\n")
        self.assertEqual(self.names["C"].__name__, "C")
        self.assertEqual((self.names["mine"], self.names["__name__"], sys.argv), (1, "__main__", argv))

    def test_run_does_not_show_the_script_the_users_names_unless_asked(self):
        self.write("uses.py", "seen = 'mine' in globals()\n")
        self.run_cell("mine = 1\n%run uses")
        self.assertFalse(self.names["seen"])
        self.run_cell("%run -i uses.py")
        self.assertTrue(self.names["seen"])
        self.assertNotIn("__file__", self.names)

    def test_run_of_a_script_that_exits(self):
        self.write("fine.py", "import sys; x = 1; sys.exit(0)\n")
        self.write("bad.py", "import sys; y = 2; sys.exit('no input')\n")
        self.run_cell("%run fine.py")
        self.assertEqual(self.names["x"], 1)
        with self.assertRaisesRegex(Exception, r"sys.exit\('no input'\)"):
            self.run_cell("%run bad.py")
        self.assertEqual(self.names["y"], 2)

    def test_run_of_a_module(self):
        self.write("pack/__init__.py", "")
        self.write("pack/job.py", "import sys\nprint(__name__, sys.argv[1:])\n")
        self.addCleanup(sys.modules.pop, "pack", None)
        self.run_cell("%run -m pack.job a")
        self.assertEqual(self.stdout, "__main__ ['a']\n")

    def notebook_file(self, name, *sources, **more):
        cells = [{"cell_type": "code", "source": source} for source in sources]
        cells.insert(1, {"cell_type": "markdown", "source": "not Python"})
        return self.write(name, json.dumps({"nbformat": 4, "cells": cells, **more}))

    def test_run_of_a_notebook_runs_its_code_cells_with_your_names(self):
        self.notebook_file("work.ipynb", ["x = mine + 1\n", "x"], "print(x, __name__)\nlines = !echo {x}\n%time y = 3", "import sys; args = sys.argv[1:]")
        self.run_cell("mine = 1\n%run work.ipynb --fast")
        self.assertEqual((self.names["x"], self.names["lines"], self.names["y"], self.names["args"]), (2, ["2"], 3, ["--fast"]))
        self.assertTrue(self.stdout.startswith("2 __main__\n"))
        self.assertEqual(self.notebook.results, [])
        self.assertNotIn("__file__", self.names)

    def test_run_of_a_notebook_ends_at_a_cell_that_fails_or_leaves_and_names_it(self):
        path = self.notebook_file("work.ipynb", "x = 1", "x = 2\n1 / 0", "x = 3")
        try:
            self.run_cell("%run work.ipynb")
        except ZeroDivisionError as problem:
            last = traceback.extract_tb(problem.__traceback__)[-1]
        self.assertEqual((last.filename, last.lineno, self.names["x"]), (f"{path}, cell 3", 2, 2))
        self.notebook_file("leaves.ipynb", "x = 4", "import sys; sys.exit()", "x = 5")
        self.run_cell("%run leaves.ipynb")
        self.assertEqual(self.names["x"], 4)

    def test_run_of_an_old_notebook_and_of_a_script_with_magics(self):
        old = {"nbformat": 3, "worksheets": [{"cells": [{"cell_type": "code", "input": ["x = 1\n", "y = 2"]}]}]}
        self.write("old.ipynb", json.dumps(old))
        self.write("script.ipy", "\ufefffiles = !ls old*\nif files:\n    %time z = mine\n")
        self.run_cell("mine = 7\n%run old.ipynb\n%run script.ipy")
        self.assertEqual([self.names[name] for name in ("x", "y", "files", "z")], [1, 2, ["old.ipynb"], 7])

    def test_run_with_a_profile(self):
        self.write("job.py", "def busy():\n    return sum(range(100))\nfor _ in range(3): busy()\n")
        self.run_cell("%run -p -l 5 -s cumulative job.py")
        self.assertRegex(self.stdout, r"3 .*job.py:1\(busy\)")
        self.assertIn("Ordered by: cumulative time", self.stdout)
        self.run_cell("%run -p job.py")
        self.assertNotIn("granary_runner", self.stdout)
        self.assertIn("busy", self.names)
        for mistake in ("-p -s nonsense", "-p -l many"):
            with self.assertRaises(UsageError):
                self.run_cell(f"%run {mistake} job.py")

    def test_run_of_what_cannot_be_run(self):
        with self.assertRaisesRegex(FileNotFoundError, "there is no file x.ipynb in"):
            self.run_cell("%run x.ipynb")
        self.write("x.ipynb", "[1]")
        with self.assertRaisesRegex(UsageError, "x.ipynb is not a notebook"):
            self.run_cell("%run x.ipynb")
        with self.assertRaisesRegex(FileNotFoundError, "there is no file missing.py in"):
            self.run_cell("%run missing.py")

    def test_load_shows_a_file_and_does_not_run_it(self):
        self.write("a.py", "x = 1")
        self.run_cell("%load a.py")
        self.assertEqual(self.stdout, "# a.py, shown but not run; run it with: %run a.py\nx = 1\n")
        self.assertNotIn("x", self.names)

    def test_load_shows_lines_and_definitions_of_a_file(self):
        self.write("code.py", "import os\n\n@property\ndef f():\n    return 1\n\nclass C:\n    def m(self):\n        pass\n")
        for options, shown in (
            ("-r 1", "import os\n"),
            ("-r 4-5", "def f():\n    return 1\n"),
            ("-r 4..5", "def f():\n    return 1\n"),
            ("-r 4:5,9:", "def f():\n        pass\n"),
            ("-r -1", "import os\n"),
            ("-s f", "@property\ndef f():\n    return 1\n"),
            ("-y -s C,f", "class C:\n    def m(self):\n        pass\n\n@property\ndef f():\n    return 1\n"),
            ("-s C.m", "    def m(self):\n        pass\n"),
        ):
            with self.subTest(options):
                self.run_cell(f"%load {options} code.py")
                self.assertEqual(self.stdout, "# code.py, shown but not run\n" + shown)
        for options in ("-r x", "-s missing", "-s C.x"):
            with self.subTest(options), self.assertRaises(UsageError):
                self.run_cell(f"%load {options} code.py")

    def test_load_shows_the_source_of_a_name(self):
        self.run_cell("import textwrap\n%load -n textwrap.dedent")
        self.assertIn("def dedent(text):", self.stdout)
        for name in ("missing", "len"):
            with self.assertRaises(UsageError):
                self.run_cell(f"%load -n {name}")


if __name__ == "__main__":
    unittest.main()
