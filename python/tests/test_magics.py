"""What magics have in common: their names, help and options."""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module
import unittest

from granary_runner import magics
from granary_runner.magics import table
from granary_runner.magics.syntax.usage_error import UsageError

from tests.standins import NotebookTest


class Names(NotebookTest):
    def test_an_unknown_magic_is_answered_in_one_short_line_with_the_closest_names(self):
        with self.assertRaises(UsageError) as raised:
            self.run_cell("%tme 1")
        self.assertEqual(str(raised.exception), "%tme does not exist. Did you mean %time or %timeit?")
        with self.assertRaisesRegex(UsageError, "^%qqqqqq does not exist. %lsmagic lists all.$"):
            self.run_cell("%qqqqqq")
        with self.assertRaisesRegex(UsageError, r"%%bsh does not exist. Did you mean %%bash"):
            self.run_cell("%%bsh\nls")

    def test_a_cell_magic_written_as_a_line_magic_is_explained_and_the_other_way_round(self):
        with self.assertRaisesRegex(UsageError, "%bash does not exist, but %%bash does"):
            self.run_cell("%bash ls")
        with self.assertRaisesRegex(UsageError, "%%cd does not exist, but %cd does"):
            self.run_cell("%%cd /\n")

    def test_a_cell_magic_below_other_code_is_explained_and_nothing_runs(self):
        with self.assertRaisesRegex(UsageError, "%%bash must be on the first line"):
            self.run_cell("x = 1\n%%bash\nnot python at all")
        self.assertNotIn("x", self.names)

    def test_every_listed_magic_exists_and_has_help(self):
        for known, kind in ((table.LINE_MAGICS, "LINE"), (table.CELL_MAGICS, "CELL")):
            for name, file in known.items():
                with self.subTest(name):
                    module = import_module(f"{magics.__name__}.{file}")
                    self.assertTrue(callable(getattr(module, kind)[name]))
                    mark = "%" if kind == "LINE" else "%%"
                    self.assertIn("\n", table.describe_magic(mark + name))
                    self.assertEqual(set(getattr(module, kind)), {one for one in known if known[one] == file})

    def test_lsmagic(self):
        listing = self.run_cell("%lsmagic")
        self.assertIn("%autoreload", listing)
        self.assertIn("%%writefile", listing)
        self.assertEqual(repr(listing), str(listing))
        self.assertEqual(self.run_cell("%lsmagic --json")["cell"]["writefile"], "files.writing")

    def test_help_on_names_and_magics(self):
        self.run_cell("len?\n%timeit?\nmissing?\n?")
        texts = [data["text/plain"] for data in self.notebook.displays]
        self.assertIn("Signature:   len(obj, /)", texts[0])
        self.assertTrue(texts[1].startswith("%timeit\nTime a statement"))
        self.assertEqual(texts[2], "Object `missing` not found.")
        self.assertIn("%lsmagic", texts[3])

    def help_on(self, line):
        self.run_cell(line)
        return self.notebook.displays[-1]["text/plain"]

    def test_help_on_what_is_behind_a_subscript(self):
        self.run_cell("from collections import defaultdict\nitems = [len, 5]\nd = defaultdict(list, a='text')\nkey = 'a'")
        self.assertIn("items[0](obj, /)", self.help_on("items[0]?"))
        self.assertIn("5", self.help_on("items[-1]?"))
        self.assertIn("'text'", self.help_on("d['a']?"))
        self.assertIn("'text'", self.help_on("d[key]?"))
        self.assertIn("upper()", self.help_on("d['a'].upper?"))
        self.assertEqual(self.help_on("d['b']?"), "Object `d['b']` not found.")
        self.assertEqual(list(self.names["d"]), ["a"])
        self.assertEqual(self.help_on("items[9]?"), "Object `items[9]` not found.")

    def test_help_with_a_star_lists_the_names_that_fit(self):
        self.run_cell("import os\nmy_list = my_dict = 1\n_mine = 2")
        self.assertEqual(self.help_on("dict.fr*?"), "dict.fromkeys")
        self.assertEqual(self.help_on("my*?"), "my_dict\nmy_list")
        self.assertEqual(self.help_on("_mi*?"), "_mine")
        self.assertEqual(self.help_on("?os.path.is*link"), "os.path.islink")
        self.assertEqual(self.help_on("*.fromke*?"), "dict.fromkeys")
        self.assertEqual(self.help_on("%time*?"), "%time\n%timeit")
        self.assertEqual(self.help_on("dict.zz*?"), "No name fits `dict.zz*`.")


class UnknownOptions(NotebookTest):
    def test_every_magic_with_options_of_its_own_refuses_those_it_does_not_know(self):
        self.write("script.py", "ran = 1\n")
        for cell in ("%cd --foo", "%cd -x /", "%pwd -P", "%env --foo", "%set_env --foo bar", "%who --foo", "%who_ls -x int",
                     "%whos -x", "%reset -x", "%run -z script.py", "%load -z 1-2 script.py", "%pycat -x script.py",
                     "%timeit -z 5 1", "%timeit --loops=5 1", "%matplotlib --foo", "%lsmagic -x", "%%timeit -z\n1",
                     "%%capture -x out\nran = 1", "%%capture --no-stdouts\nran = 1", "%%writefile -x\ntext", "%%writefile --apend a.txt\ntext",
                     "%%html --foo\n<b>", "%%markdown --foo\n*a*", "%%latex -x\n$x$", "%%svg -x\n<svg>", "%%time -x\nran = 1",
                     "%unload_ext --foo", "%load_ext --foo", "%autoreload --foo", "%autoreload 2 --foo"):
            with self.subTest(cell):
                with self.assertRaises(UsageError):
                    self.run_cell(cell)
                self.assertNotIn("ran", self.names)
                self.assertEqual((os.listdir(), os.getcwd(), self.notebook.displays), (["script.py"], self.folder, []))

    def test_an_option_that_is_nearly_right_names_the_right_one(self):
        with self.assertRaisesRegex(UsageError, "%%capture has no option --no-stdot. Did you mean --no-stdout?"):
            self.run_cell("%%capture --no-stdot\n1")
        with self.assertRaisesRegex(UsageError, r"%run has no option -z. It has -i, -n, .* Usage: %run \[-i\]"):
            self.run_cell("%run -z script.py")

    def test_options_that_are_known_work(self):
        self.write("script.py", "import sys; print(sys.argv[1:]); sys.exit(3)\n")
        self.run_cell("%run -ie script.py -z --fast")
        self.assertEqual(self.stdout, "['-z', '--fast']\n")
        self.run_cell("%run -e -t script.py")
        self.assertIn("Wall time:", self.stdout)
        self.run_cell("%%writefile -- -odd\ntext")
        self.assertEqual(self.read("-odd"), "text\n")
        self.run_cell("%timeit -qc -n1 -r 2 -v kept 1")
        self.assertEqual(self.names["kept"].repeat, 2)
        self.run_cell("x = 1\n%timeit -q -n1 -r1 (-x)")
        self.run_cell("%%html --isolated\n<b>")
        self.run_cell("%matplotlib --list")
        self.assertIn("inline", self.stdout)


if __name__ == "__main__":
    unittest.main()
