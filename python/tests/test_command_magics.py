"""Commands, scripts for other programs, folders, files and the environment."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
import unittest

from granary_runner.magics.syntax.usage_error import UsageError

from tests.standins import NotebookTest


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


class Files(NotebookTest):
    def test_writefile(self):
        self.run_cell("%%writefile 'my notes.txt'\n a {x}\n\n%b")
        self.assertEqual((self.stdout, self.read("my notes.txt")), ("Writing my notes.txt\n", " a {x}\n\n%b\n"))
        self.run_cell("name = 'my notes'\n")
        self.run_cell("%%writefile '{name}.txt'\nx\n")
        self.assertEqual((self.stdout, self.read("my notes.txt")), ("Overwriting my notes.txt\n", "x\n"))
        self.run_cell("%%writefile -a 'my notes.txt'\ny\n")
        self.assertEqual((self.stdout, self.read("my notes.txt")), ("Appending to my notes.txt\n", "x\ny\n"))


if __name__ == "__main__":
    unittest.main()
