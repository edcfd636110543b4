"""Code as people paste it runs, and valid Python stays what it is."""

from __future__ import annotations

import traceback
import unittest

from granary_runner.cells import compiling, errors, main_module
from granary_runner.cells.pasted import readings

from tests.standins import NotebookTest


class Indented(NotebookTest):
    def test_a_cell_that_is_indented_as_a_whole_runs(self):
        for cell in (
            "    x = 1\n    x + 1",
            "\n\n\tx = 1\n\n\tif x:\n\t\tx + 1\n\tx + 1",
            "    # first\n    x = 1\n# at the margin\n    x + 1",
            "# at the margin\n    x = 1\n    x + 1",
            "  x = (1,\n1)[0]\n  x + 1",
            "    x = 1\r\n    x + 1\r\n",
            "    x = 1\n  \n    x + 1",
        ):
            with self.subTest(cell):
                self.assertEqual(self.run_cell(cell), 2)

    def test_a_long_string_that_is_indented_with_the_cell_is_dedented_with_it(self):
        self.assertEqual(self.run_cell("    x = '''\n    a\n      b\n    '''\n    x"), "\na\n  b\n")

    def test_a_long_string_at_the_margin_keeps_its_text(self):
        self.assertEqual(self.run_cell("    x = '''\na\n    b\n'''\n    x"), "\na\n    b\n")

    def test_magics_in_it_work(self):
        self.assertEqual(self.run_cell("    x = !echo {1 + 1}\n    x[0]"), "2")
        self.run_cell("    %%bash\n    if true; then\n      echo yes\n    fi")
        self.assertEqual(self.stdout, "yes\n")

    def test_lines_that_do_not_agree_are_still_an_error(self):
        for cell in ("    x = 1\ny = 2", "x = 1\n    y = 2", "    x = 1\n  y = 2", "    x = '''\n  y = 2"):
            with self.subTest(cell), self.assertRaises(SyntaxError):
                self.run_cell(cell)

    def test_an_error_names_the_real_reason_and_the_line(self):
        with self.assertRaises(SyntaxError) as raised:
            self.run_cell("    x = 1\n    y = = 2")
        self.assertEqual((raised.exception.msg, raised.exception.lineno), ("invalid syntax", 2))


class Prompts(NotebookTest):
    def test_a_session_of_python_runs(self):
        for cell in (
            ">>> x = 1\n>>> x + 1",
            ">>> for i in range(2):\n...     x = i\n...\n>>> x + 1",
            "    >>> x = 1\n    >>> x + 1",
            "# a comment\n\n>>> x = 1\n>>> x + 1",
            ">>> x = 1\r\n>>> x + 1\r\n",
            ">>>x = 1\n>>>x + 1",
        ):
            with self.subTest(cell):
                self.assertEqual(self.run_cell(cell), 2)

    def test_a_session_of_ipython_runs(self):
        for cell in (
            "In [1]: x = 1\nIn [2]: x + 1",
            "In [1]: x = 1\n\nIn [2]: x\nOut[2]: 1\n\nIn [3]: x + 1\nOut[3]: 2",
            "In [7]: for i in range(2):\n   ...:     x = i\n   ...: \n   ...: x + 1",
            "In [12]: x = 1\n    ...: x + 1",
            "   In [1]: x = 1\n   In [2]: x + 1",
            "[ins] In [1]: x = 1\n\n[nav] In [2]: x + 1",
            "for i in range(2):\n   ...:     x = i\n   ...: x + 1",
        ):
            with self.subTest(cell):
                self.assertEqual(self.run_cell(cell), 2)

    def test_outputs_between_the_prompts_are_left_out(self):
        self.assertEqual(self.run_cell(">>> print('a b')\na b\n>>> 6 * 7\n42 is the answer\n"), 42)
        self.assertEqual(self.stdout, "a b\n")
        self.assertEqual(self.run_cell("In [1]: print('a b')\na b\n\nIn [2]: 6 * 7\nOut[2]: \n42 is it\n"), 42)

    def test_magics_behind_a_prompt_work(self):
        self.assertEqual(self.run_cell("In [1]: x = !echo 2\nIn [2]: x[0]"), "2")
        self.assertEqual(self.run_cell(">>> %time 2"), 2)

    def test_prompts_in_strings_stay(self):
        text = "x = '''\n>>> f()\n    In [1]: g\n'''\nx"
        self.assertEqual(self.run_cell(text), "\n>>> f()\n    In [1]: g\n")
        self.assertEqual(self.run_cell(text + "\n!true\nx"), "\n>>> f()\n    In [1]: g\n")

    def test_prompts_in_the_middle_of_a_line_stay(self):
        self.assertEqual(self.run_cell(">>> x = '>>> a'\n>>> x"), ">>> a")
        self.assertEqual(self.run_cell("In [1]: x = 'In [2]: a'\nx"), "In [2]: a")
        self.assertEqual(self.run_cell("In [1]: x = '!a'\n   ...: x"), "!a")

    def test_a_list_named_In_may_be_used_and_annotated(self):
        self.run_cell("In = ['a', 'b']\nIn[1]: str = 'c'")
        self.assertEqual(self.run_cell("In [1]"), "c")
        self.assertEqual(self.run_cell("In [1] + 'd'"), "cd")


class Lines(NotebookTest):
    """The lines in a traceback are those of the cell, and its marks are below the right columns."""

    def test_after_prompts_and_indentation(self):
        for cell in (
            "    x = 1\n    \n    def f():\n        return x / 0\n    f()",
            ">>> x = 1\n>>> \n>>> def f():\n...     return x / 0\n>>> f()",
            "In [1]: x = 1\n\nIn [2]: def f():\n   ...:     return x / 0\nIn [3]: f()",
        ):
            with self.subTest(cell):
                try:
                    self.run_cell(cell)
                except ZeroDivisionError as problem:
                    frames = traceback.extract_tb(problem.__traceback__)[-2:]
                self.assertEqual([frame.lineno for frame in frames], [5, 4])
                self.assertEqual(main_module.sources[frames[0].filename].split("\n")[3], "    return x / 0")


class Hints(unittest.TestCase):
    def hint(self, source: str) -> str:
        main_module.remember("<cell 1>", source)
        try:
            for part in compiling.compile_cell(source, "<cell 1>").parts:
                eval(part, {"__builtins__": __builtins__})
        except Exception as problem:
            return errors.describe(problem)[2][-1]
        raise AssertionError("it ran")

    def test_a_command_that_is_no_python_names_the_form_that_runs_it(self):
        for line, form in (
            ("pip install x", "%pip install x"),
            ("pip3 install -U x==1", "%pip install -U x==1"),
            ("cd ..", "%cd .."),
            ("cd my/folder", "%cd my/folder"),
            ("ls", "!ls"),
            ("ls -la", "!ls -la"),
            ("ls /tmp", "!ls /tmp"),
            ("mkdir -p a/b", "!mkdir -p a/b"),
            ("$ ls -l *.py", "!ls -l *.py"),
            ("matplotlib inline", "%matplotlib inline"),
            ("    pip install x", "%pip install x"),
            ("import os\npip install x", "%pip install x"),
        ):
            with self.subTest(line):
                self.assertEqual(self.hint(line), "To run this as a command, write: " + form)

    def test_python_with_a_mistake_gets_none(self):
        for line in ("df", "ls + 1", "ls = = 1", "print 'x'", "import foo bar", "nobody knows", "def f():\n    ls\nf()", "test"):
            with self.subTest(line):
                self.assertNotIn("command", self.hint(line))


class Readings(unittest.TestCase):
    def test_what_has_neither_prompts_nor_indentation_is_read_only_once(self):
        for source in ("", "x = 1", "x = (", "!ls", "%%bash\n    ls", "# >>> x\ny y", "%%bash\n>>> x", "def f():\n    ...\nx x", "# In [1]: x"):
            self.assertEqual(readings(source), [])


if __name__ == "__main__":
    unittest.main()
