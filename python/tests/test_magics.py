"""What each magic does for a cell."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import traceback
import unittest
from importlib import import_module
from pathlib import Path
from unittest.mock import patch

from granary_runner import magics
from granary_runner.formats import bundle, figure_settings
from granary_runner.magics import table
from granary_runner.magics.reloading import packages
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


class Commands(NotebookTest):
    def test_a_command_sees_the_users_names_also_local_ones(self):
        self.run_cell("x = 1\ndef f(y):\n    !echo $x {x + y} {y}\n    lines = !echo {y}\n    return lines\nr = f(2)")
        self.assertEqual(self.stdout, "1 3 2\n")
        self.assertEqual(self.names["r"], ["2"])

    def test_a_failing_command_does_not_raise_and_leaves_its_exit_code(self):
        self.run_cell("!exit 3")
        self.assertEqual(self.names["_exit_code"], 3)
        self.run_cell("x = !exit 4")
        self.assertEqual((self.names["_exit_code"], self.names["x"].exit_code), (4, 4))

    def test_the_lines_of_a_command_can_be_taken_apart(self):
        self.write("f1.txt", "")
        self.run_cell("x = !printf 'rw Ann 10 f1.txt\\ndr bob 2 f2\\nx\\n'; exit 3\nf = !ls")
        lines = self.names["x"]
        self.assertEqual((lines.returncode, lines.n, lines.s), (3, "\n".join(lines), " ".join(lines)))
        self.assertEqual((lines.l, lines.list, lines.nlstr, lines.spstr), (list(lines), list(lines), lines.n, lines.s))
        self.assertEqual(self.names["f"].p, [Path("f1.txt")])
        self.assertEqual(lines.grep("ANN"), lines[:1])
        self.assertEqual(lines.grep("f2", prune=True), [lines[0], lines[2]])
        self.assertEqual(lines.grep("f", field=3).grep("2", field=2).n, lines[1])
        self.assertEqual(lines.grep(lambda line: len(line) == 1), ["x"])
        self.assertEqual(lines.fields(), [line.split() for line in lines])
        self.assertEqual((lines.fields(0), lines.fields(3, 0), lines.fields(9)), (["rw", "dr", "x"], ["f1.txt rw", "f2 dr", "x"], []))
        self.assertEqual(lines.fields(-1).returncode, 3)
        self.assertEqual(lines.sort(2, nums=True), ["x", "dr bob 2 f2", "rw Ann 10 f1.txt"])
        self.assertEqual((lines.sort(reverse=True)[0], lines[0]), ("x", "x"))

    def test_bash(self):
        self.run_cell("%%bash\nfor i in 1 2; do\n  echo $i {x}\ndone")
        self.assertEqual(self.stdout, "1 {x}\n2 {x}\n")

    def test_a_failing_script_fails_the_cell_and_names_the_exit_code(self):
        with self.assertRaisesRegex(subprocess.CalledProcessError, "%%bash ended with exit code 3"):
            self.run_cell("%%bash\nexit 3")
        with self.assertRaisesRegex(subprocess.CalledProcessError, "%%sh was ended by SIGTERM"):
            self.run_cell("%%sh\nkill $$")
        self.run_cell("%%bash --no-raise-error\nexit 3")
        self.assertEqual(self.names["_exit_code"], 3)

    def test_options_and_arguments_of_a_script(self):
        with self.assertRaises(subprocess.CalledProcessError):
            self.run_cell("%%bash -e\nfalse\necho unreached")
        self.assertEqual(self.stdout, "")
        self.run_cell("%%bash one two\necho $1-$2")
        self.assertEqual(self.stdout, "one-two\n")
        self.run_cell("%%bash --out text --err=problems\necho a; echo b >&2")
        self.assertEqual((self.names["text"], self.names["problems"]), ("a\n", "b\n"))

    def test_a_very_long_script(self):
        self.run_cell("%%bash\n" + "# comment\n" * 20_000 + "echo end")
        self.assertEqual(self.stdout, "end\n")

    def test_scripts_for_other_programs(self):
        self.run_cell("%%script cat\nbody\n")
        self.assertEqual(self.stdout, "body\n")
        self.run_cell("%%python\nimport sys\nprint('hello', sys.executable)")
        self.assertEqual(self.stdout, f"hello {sys.executable}\n")
        self.run_cell("%%script false --no-raise-error\nskipped")
        self.assertEqual(self.run_cell("x = %sx echo a\nx"), ["a"])


class Folders(NotebookTest):
    def test_cd(self):
        os.makedirs("my folder/inner")
        self.run_cell("%cd my folder")
        self.assertEqual(self.stdout, os.path.join(self.folder, "my folder") + "\n")
        self.run_cell("where = 'inner'\n%cd {where}")
        self.assertEqual(self.run_cell("%pwd"), os.path.join(self.folder, "my folder", "inner"))
        self.run_cell("%cd -q -")
        self.assertEqual((os.getcwd(), self.stdout), (os.path.join(self.folder, "my folder"), ""))
        os.environ["HOME"] = self.folder
        self.run_cell("%cd")
        self.assertEqual(os.getcwd(), self.folder)
        self.run_cell("%cd '~/my folder'")
        self.assertEqual(os.getcwd(), os.path.join(self.folder, "my folder"))

    def test_cd_to_nowhere_fails_the_cell(self):
        with self.assertRaises(FileNotFoundError):
            self.run_cell("%cd missing")
        self.assertEqual(os.getcwd(), self.folder)

    def test_ls_and_its_kin(self):
        self.write("a.txt", "text\n")
        self.run_cell("%ls\n%cat a.txt\n%mkdir b\n%ll *.txt")
        self.assertTrue(self.stdout.startswith("a.txt\ntext\n-rw"), self.stdout)
        self.assertTrue(os.path.isdir("b"))


class Environment(NotebookTest):
    def test_set_and_get(self):
        self.run_cell("%env MODE=fast and loose")
        self.assertEqual((self.stdout, os.environ["MODE"]), ("env: MODE=fast and loose\n", "fast and loose"))
        self.assertEqual(self.run_cell("%env MODE"), "fast and loose")
        self.run_cell("n = 4\n%env THREADS {n}")
        self.assertEqual(os.environ["THREADS"], "4")
        self.run_cell("%set_env A b=c")
        self.assertEqual(os.environ["A"], "b=c")
        with self.assertRaisesRegex(UsageError, "no environment variable MISSING_ONE"):
            self.run_cell("%env MISSING_ONE")

    def test_values_that_look_secret_are_not_listed(self):
        self.run_cell("%env SERVICE_TOKEN=abc123")
        self.assertEqual(self.stdout, "env: SERVICE_TOKEN=<hidden>\n")
        os.environ["PLAIN"] = "plain"
        listing = repr(self.run_cell("%env"))
        self.assertIn("PLAIN=plain", listing)
        self.assertIn("SERVICE_TOKEN=<hidden>", listing)
        self.assertNotIn("abc123", listing)


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
        self.run_cell("%%time\nz = 1\nprint('in')\nz + 1")
        self.assertRegex(self.stdout, f"^in\n{self.TIMES}$")
        self.assertEqual((self.names["z"], self.notebook.results), (1, [2]))

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


class UserNames(NotebookTest):
    def test_who_and_whos(self):
        self.run_cell("%who")
        self.assertEqual(self.stdout, "Interactive namespace is empty.\n")
        self.run_cell("number = 5\ntext = 'a' * 500\nitems = list(range(100))\n_hidden = 1")
        self.run_cell("%who")
        self.assertEqual(self.stdout, "items\tnumber\ttext\n")
        self.assertEqual(self.run_cell("%who_ls int str"), ["number", "text"])
        self.run_cell("%whos")
        rows = self.stdout.splitlines()
        self.assertRegex(rows[0], r"Variable +Type +Data/Info")
        self.assertRegex(rows[2], r"items +list +n=100 \[0, 1, 2")
        self.assertTrue(all(len(row) < 120 for row in rows))

    def test_whos_survives_a_value_that_cannot_be_shown(self):
        self.run_cell("class Broken:\n    def __repr__(self): raise RuntimeError\nb = Broken()\n%whos")
        self.assertIn("Broken", self.stdout)

    def test_reset_forgets_the_users_names_and_keeps_pythons(self):
        for reset in ("%reset", "%reset -f", "%reset --aggressive", "%reset -f --aggressive"):
            with patch.dict(sys.modules):
                self.run_cell("x = 1\n_y = 2\n" + reset)
            self.assertEqual(set(self.names), {"__name__", "__builtins__"}, reset)

    def test_a_soft_reset_keeps_results_and_private_names(self):
        for reset in ("%reset -s", "%reset -sf", "%reset -f -s"):
            self.run_cell("x = 1\n_y = 2\n" + reset)
            self.assertEqual(set(self.names), {"__name__", "__builtins__", "_y"}, reset)

    def test_reset_of_something_forgets_only_that(self):
        for target in ("in", "out", "dhist", "array", "in out", "OUT dhist"):
            self.run_cell(f"x = 1\n%reset -f {target}")
            self.assertEqual(self.names["x"], 1, target)
        self.run_cell("%cd /\n%reset -f dhist")
        with self.assertRaisesRegex(UsageError, "no other folder"):
            self.run_cell("%cd -")

    def test_reset_array_forgets_numpy_arrays(self):
        class Array:
            pass

        with patch.dict(sys.modules, numpy=type(sys)("numpy")):
            sys.modules["numpy"].ndarray = Array
            self.names.update(a=Array(), b=[1])
            self.run_cell("%reset -f array")
        self.assertEqual(("a" in self.names, self.names["b"]), (False, [1]))

    def test_reset_with_a_word_or_an_option_it_does_not_know_forgets_nothing(self):
        for arguments in ("foo", "-f foo", "--aggressive foo", "--aggressive out", "-x", "--hard", "out foo", "-fx", "-f=1",
                          "--aggresive", "-", "'"):
            self.run_cell("x = 1")
            with self.assertRaises(UsageError, msg=arguments):
                self.run_cell(f"%reset {arguments}")
            self.assertEqual(self.names["x"], 1, arguments)
        with self.assertRaisesRegex(UsageError, "%reset has no option --aggresive. Did you mean --aggressive?"):
            self.run_cell("%reset --aggresive")

    def test_an_aggressive_reset_has_the_users_modules_read_again(self):
        self.write("edited_module.py", "value = 1\n")
        with patch.dict(sys.modules):
            self.run_cell("import edited_module, json\n%reset -f --aggressive")
            self.assertNotIn("edited_module", sys.modules)
            self.assertIn("json", sys.modules)
            self.assertIn("granary_runner.magics", sys.modules)


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
        self.assertNotIn("granary_runner/execute", self.stdout)
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


class Files(NotebookTest):
    def test_writefile(self):
        self.run_cell("%%writefile 'my notes.txt'\n a {x}\n\n%b")
        self.assertEqual((self.stdout, self.read("my notes.txt")), ("Writing my notes.txt\n", " a {x}\n\n%b\n"))
        self.run_cell("name = 'my notes'\n")
        self.run_cell("%%writefile '{name}.txt'\nx\n")
        self.assertEqual((self.stdout, self.read("my notes.txt")), ("Overwriting my notes.txt\n", "x\n"))
        self.run_cell("%%writefile -a 'my notes.txt'\ny\n")
        self.assertEqual((self.stdout, self.read("my notes.txt")), ("Appending to my notes.txt\n", "x\ny\n"))


class Markup(NotebookTest):
    def test_a_cell_is_shown_as_what_it_is(self):
        for name, mime in (("html", "text/html"), ("markdown", "text/markdown"), ("latex", "text/latex"),
                           ("svg", "image/svg+xml")):
            self.run_cell(f"%%{name}\n<b>{{x}}</b>\n")
            self.assertEqual(self.notebook.displays.pop()[mime], "<b>{x}</b>\n")

    def test_the_text_beside_markup_is_what_ipython_stores(self):
        self.run_cell("%%javascript\nalert(1)")
        self.run_cell("%%html\n<b>")
        self.assertEqual(self.notebook.displays, [
            {"application/javascript": "alert(1)\n", "text/plain": "<IPython.core.display.Javascript object>"},
            {"text/html": "<b>\n", "text/plain": "<IPython.core.display.HTML object>"},
        ])


class Capturing(NotebookTest):
    def test_what_a_cell_prints_and_shows_is_kept_for_later(self):
        self.run_cell("%%capture out\nimport sys\nprint('a')\nprint('b', file=sys.stderr)\n!echo c\ndisplay(1)\n2")
        self.assertEqual((self.stdout, self.stderr, self.notebook.displays), ("", "", []))
        out = self.names["out"]
        self.assertEqual((out.stdout, out.stderr), ("a\nc\n", "b\n"))
        self.assertEqual([one.data for one in out.outputs], [{"text/plain": "1"}, {"text/plain": "2"}])
        self.run_cell("out.show()")
        self.assertEqual((self.stdout, self.stderr), ("a\nc\n", "b\n"))
        self.assertEqual(self.notebook.displays, [{"text/plain": "1"}, {"text/plain": "2"}])

    def test_parts_may_be_left_alone(self):
        self.run_cell("%%capture out --no-stdout --no-display\nimport sys\nprint('a')\nprint('b', file=sys.stderr)\n3")
        self.assertEqual((self.stdout, self.names["out"].stderr), ("a\n", "b\n"))
        self.assertEqual(self.notebook.displays, [{"text/plain": "3"}])

    def test_a_failing_cell_gives_the_streams_back(self):
        before = sys.stdout
        with self.assertRaises(ZeroDivisionError):
            self.run_cell("%%capture out\nprint('a')\n1/0")
        self.assertIs(sys.stdout, before)
        self.assertEqual(self.names["out"].stdout, "a\n")


class Settings(NotebookTest):
    def test_matplotlib(self):
        self.run_cell("%matplotlib inline\n%matplotlib agg\n%matplotlib")
        self.assertEqual(self.stdout, "")
        self.run_cell("%matplotlib widget")
        self.assertIn("figures are shown as pictures", self.stdout)

    def test_settings_of_figures_take_effect_and_print_nothing(self):
        self.addCleanup(figure_settings.use_formats, "png")
        self.run_cell("%config InlineBackend.figure_format = 'retina'")
        self.assertEqual((self.stdout, figure_settings.formats), ("", ("retina",)))
        self.run_cell("%config InlineBackend.figure_formats = {'png', 'svg'}")
        self.assertEqual(self.run_cell("%config InlineBackend.figure_formats"), {"png", "svg"})
        with self.assertRaisesRegex(UsageError, "not as 'gif'"):
            self.run_cell("%config InlineBackend.figure_format = 'gif'")
        with self.assertRaisesRegex(UsageError, "InlineBackend has no setting nonesuch"):
            self.run_cell("%config InlineBackend.nonesuch = 1")

    def test_settings_of_extensions_are_kept_for_them(self):
        self.run_cell("%config SqlMagic.autopandas = True")
        self.assertEqual((self.stdout, self.run_cell("%config SqlMagic.autopandas")), ("", True))

    def test_settings_of_a_screen_are_accepted(self):
        for magic in ("colors linux", "autosave 60", "gui qt", "autoawait", "automagic off", "clear"):
            self.run_cell("%" + magic)
            self.assertEqual((self.stdout, self.stderr), ("", ""), magic)

    def test_precision_changes_how_floats_look(self):
        self.addCleanup(self.run_cell, "%precision")
        self.assertEqual(self.run_cell("%precision 3"), "%.3f")
        self.assertEqual(bundle([1 / 3, 2])[0], {"text/plain": "[0.333, 2]"})
        self.assertEqual(self.run_cell("%precision %.1e"), "%.1e")
        self.assertEqual(bundle(1 / 3)[0], {"text/plain": "3.3e-01"})
        self.assertEqual(self.run_cell("%precision"), "%r")
        self.assertEqual(bundle(0.5)[0], {"text/plain": "0.5"})
        with self.assertRaisesRegex(UsageError, "must be a number of digits"):
            self.run_cell("%precision many")

    def test_extensions_are_loaded_once_and_register_magics(self):
        self.addCleanup(sys.modules.pop, "shouting", None)
        self.write("shouting.py", "def load_ipython_extension(shell):\n"
                   "    print('loaded')\n    shell.register_magic_function(str.upper, 'line', 'shout')\n")
        self.run_cell("%load_ext shouting")
        self.assertEqual((self.stdout, self.run_cell("%shout a")), ("loaded\n", "A"))
        self.run_cell("%load_ext shouting")
        self.assertIn("already loaded", self.stdout)
        self.run_cell("%reload_ext shouting")
        self.assertEqual(self.stdout, "loaded\n")
        self.run_cell("%load_ext autoreload")
        with self.assertRaisesRegex(UsageError, "There is no extension nonesuch"):
            self.run_cell("%load_ext nonesuch")
        with self.assertRaisesRegex(UsageError, "json is no extension"):
            self.run_cell("%load_ext json")


class Storing(NotebookTest):
    def setUp(self):
        super().setUp()
        os.environ["GRANARY_HOME"] = os.path.join(self.folder, "home")

    def test_a_variable_is_found_again_by_a_later_session(self):
        self.run_cell("x = {'a': [1, 2]}\ny = 3\n%store x y")
        self.assertEqual(self.stdout, "Stored 'x' (dict)\nStored 'y' (int)\n")
        self.run_cell("del x, y\n%store")
        self.assertEqual(self.stdout, "Stored variables: x, y\n")
        self.run_cell("%store -r x")
        self.assertEqual((self.names["x"], "y" in self.names), ({"a": [1, 2]}, False))
        self.run_cell("%store -d x\n%store -r")
        self.assertEqual(self.names["y"], 3)
        self.run_cell("%store -z\n%store")
        self.assertEqual(self.stdout, "Stored variables: none\n")
        with self.assertRaisesRegex(UsageError, "no variable x is stored"):
            self.run_cell("%store -r x")

    def test_only_the_owner_can_read_what_is_stored(self):
        self.run_cell("secret = 'text'\n%store secret")
        folder = os.path.join(self.folder, "home", "stored-variables")
        self.assertEqual(os.stat(folder).st_mode & 0o777, 0o700)
        self.assertEqual([os.stat(os.path.join(folder, name)).st_mode & 0o777 for name in os.listdir(folder)], [0o600])

    def test_values_that_no_later_session_could_read_are_refused(self):
        for value, why in (("lambda: 1", "is defined in a cell"), ("(n for n in [])", "cannot be stored")):
            with self.assertRaisesRegex(UsageError, why):
                self.run_cell(f"x = {value}\n%store x")
        for name, why in (("missing", "there is no variable missing"), ("-d ../x", "is no name of a variable")):
            with self.assertRaisesRegex(UsageError, why):
                self.run_cell(f"%store {name}")

    def test_a_value_is_written_into_a_file_as_text(self):
        self.run_cell("x = [1, 2]\n%store x > out.txt\n%store x >> out.txt")
        self.assertEqual(self.read("out.txt"), "[1, 2]\n[1, 2]\n")


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


class Packages(NotebookTest):
    """With a stand-in for the program that installs."""

    def setUp(self):
        super().setUp()
        self.calls = []
        self.exit_code = 0
        self.installs = lambda: None

    def run_cell(self, source):
        def run_program(argv, environment):
            self.calls.append(argv)
            self.assertEqual(self.notebook.clock[-1:], [False])
            self.installs()
            return packages.shell.Finished(self.exit_code, "", "")

        with patch.object(packages.shell, "run_program", run_program):
            return super().run_cell(source)

    def with_installers(self, pip, uv):
        real = packages.shutil.which
        spec = patch("importlib.util.find_spec", lambda name: object() if pip else None)
        which = patch.object(packages.shutil, "which", lambda name: uv if name == "uv" else real(name))
        return spec, which

    def test_pip_installs_into_this_python_while_the_clock_stands(self):
        spec, which = self.with_installers(True, None)
        with spec, which:
            self.run_cell("name = 'numpy'\n%pip install {name}>=1 -q")
            self.run_cell("%pip uninstall numpy")
        python = [sys.executable, "-m", "pip"]
        self.assertEqual(self.calls, [python + ["install", "numpy>=1", "-q"], python + ["uninstall", "--yes", "numpy"]])
        self.assertEqual(self.notebook.clock, [False, True] * 2)

    def test_uv_installs_where_there_is_no_pip(self):
        spec, which = self.with_installers(False, "/bin/uv")
        with spec, which:
            self.run_cell("%pip install 'a b'")
            self.run_cell("%pip uninstall -y a")
            self.run_cell("%uv pip list")
        self.assertEqual(
            self.calls,
            [
                ["/bin/uv", "pip", "install", "--python", sys.executable, "a b"],
                ["/bin/uv", "pip", "uninstall", "--python", sys.executable, "a"],
                ["/bin/uv", "pip", "list", "--python", sys.executable],
            ],
        )

    def test_without_either_the_remedy_is_named(self):
        spec, which = self.with_installers(False, None)
        with spec, which, self.assertRaisesRegex(UsageError, "-m ensurepip --upgrade"):
            self.run_cell("%pip install a")
        self.assertEqual(self.notebook.clock[-1:], [True])

    def test_what_is_meant_for_the_shell_goes_to_the_shell(self):
        spec, which = self.with_installers(True, None)
        with spec, which:
            self.run_cell("%pip install 'a>1' 2>&1 | tail -1")
        command = f"{sys.executable} -m pip install 'a>1' 2>&1 | tail -1"
        self.assertEqual(self.calls[0][1:], ["-c", command + packages._WITH_ITS_OWN_EXIT_CODE])

    @unittest.skipIf(shutil.which("bash") is None, "bash is not installed")
    def test_behind_a_pipe_the_installers_own_exit_code_counts(self):
        for exit_code, tail in ((0, "| grep nothing"), (1, "| tail -1"), (2, "> /dev/null"), (3, "2>&1 && true")):
            program = ["bash", "-c", f"exit {exit_code}"]
            with self.subTest(tail), patch.object(packages, "_installer", return_value=program):
                argv = packages._command(["install"], "install " + tail)
                self.assertEqual(packages.shell.run_program(argv).exit_code, exit_code)

    def test_a_failing_installation_fails_the_cell(self):
        self.exit_code = 1
        spec, which = self.with_installers(True, None)
        failure = "%pip install a ended with exit code 1"
        with spec, which, self.assertRaisesRegex(subprocess.CalledProcessError, failure):
            self.run_cell("%pip install a")
        self.assertEqual(self.notebook.clock, [False, True])

    def test_a_package_that_changed_under_its_import_needs_a_restart(self):
        self.write("changing.py", "x = 1")
        self.write("staying.py", "x = 1")
        self.addCleanup(sys.modules.pop, "changing", None)
        self.addCleanup(sys.modules.pop, "staying", None)
        super().run_cell("import changing, staying")
        self.installs = lambda: self.write("changing.py", "x = 22")
        self.run_cell("%pip install changing")
        self.assertEqual(
            self.stdout, "Note: changing had been imported before; restart the kernel to use what is installed now.\n"
        )

    def test_an_editable_installation_can_be_imported_at_once(self):
        os.makedirs("site")
        self.write("project/edited.py", "x = 7")
        self.addCleanup(sys.modules.pop, "edited", None)
        sys.path.append(os.path.join(self.folder, "site"))
        self.installs = lambda: self.write("site/edited.pth", os.path.join(self.folder, "project") + "\n")
        self.run_cell("%pip install -e project")
        self.assertEqual(super().run_cell("import edited\nedited.x"), 7)

    def test_conda_is_refused_with_a_remedy(self):
        with self.assertRaisesRegex(UsageError, "%conda cannot .* Use `%pip install NAME`"):
            self.run_cell("%conda install a")


if __name__ == "__main__":
    unittest.main()
