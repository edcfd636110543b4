"""The user's names: listed, reset and stored."""

from __future__ import annotations

import json
import os
import sys
from unittest.mock import patch
import unittest

from granary_runner import magics
from granary_runner.magics.syntax.usage_error import UsageError

from tests.standins import NotebookTest


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


if __name__ == "__main__":
    unittest.main()
