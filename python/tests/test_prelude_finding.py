"""find_files() and search_files()."""

from __future__ import annotations

import os
import re
import unittest

from granary_prelude import find_files, search_files
from granary_prelude.glob_pattern import glob_pattern

from tests.prelude_test import PreludeTest


class Patterns(unittest.TestCase):
    def test_what_matches(self):
        for pattern, path in (
            ("*.py", "a.py"), ("src/*.py", "src/a.py"), ("src/**/*.py", "src/a.py"), ("src/**/*.py", "src/x/y/a.py"),
            ("**/a.py", "a.py"), ("**", "x/y"), ("a?c", "abc"), ("[ab].py", "b.py"), ("[!ab].py", "c.py"), ("[]x]", "]"),
            ("*.{ts,tsx}", "a.tsx"), ("{a,b/{c,d}}.py", "b/d.py"), ("./a.py", "a.py"), ("a+(1).py", "a+(1).py"),
            ("{a", "{a"), ("a,b", "a,b"), ("a}", "a}"), ("[a", "[a"), ("*", "new\nline"), ("[\\]", "\\"), ("{,a}b", "b"),
        ):
            with self.subTest(pattern):
                self.assertTrue(glob_pattern(pattern).fullmatch(path), path)

    def test_what_does_not(self):
        for pattern, path in (
            ("*.py", "a.pyc"), ("src/*.py", "src/x/a.py"), ("a?c", "a/c"), ("[!a]", "/"), ("**/a.py", "ba.py"),
            ("*.{ts,tsx}", "a.js"), ("a.py", "axpy"), ("src/**", "srcs/a"),
        ):
            with self.subTest(pattern):
                self.assertIsNone(glob_pattern(pattern).fullmatch(path), path)


class Finding(PreludeTest):
    def test_by_name_at_any_depth_or_by_path(self):
        for name in ("b.py", "a.py", "src/c.py", "src/deep/d.py", "src/deep/d.txt", ".github/x.py"):
            self.write(name)
        self.assertEqual(find_files("*.py"), ["a.py", "b.py", ".github/x.py", "src/c.py", "src/deep/d.py"])
        self.assertEqual(find_files("src/**/*.py"), ["src/c.py", "src/deep/d.py"])
        self.assertEqual(find_files("*.txt", "src"), ["src/deep/d.txt"])
        self.assertEqual(find_files("deep/*.txt", self.folder + "/src"), [self.folder + "/src/deep/d.txt"])

    def test_without_what_nobody_looks_for(self):
        for name in (".git/a", "node_modules/a", "env/pyvenv.cfg", "env/a", "x/__pycache__/a", "x/a"):
            self.write(name)
        self.assertEqual(find_files(), ["x/a"])
        self.assertEqual(find_files("*", "node_modules"), ["node_modules/a"])

    def test_it_stops_at_its_limit_and_says_so(self):
        for name in "abc":
            self.write(name)
        found = find_files(limit=2)
        self.assertEqual((list(found), found.complete), (["a", "b"], False))
        self.assertEqual(repr(found), "a\nb\n[stopped at 2; there are more, see limit=]")
        self.assertTrue(find_files(limit=3).complete)
        self.assertEqual(repr(find_files("*.x")), "[nothing found]")
        event = {"op": "find", "path": self.folder, "pattern": "*", "count": 2, "complete": False}
        self.assertEqual(self.told[0], event)

    def test_links_in_a_circle_and_names_that_are_no_text_do_no_harm(self):
        os.symlink(".", "again")
        self.write("a")
        os.mkdir(b"sub")
        with open(b"sub/\xff", "w"):
            pass
        self.assertEqual(find_files(), ["a", "sub/\udcff"])

    def test_a_folder_that_is_not_there(self):
        with self.assertRaisesRegex(FileNotFoundError, "nowhere"):
            find_files("*", "nowhere")


class Searching(PreludeTest):
    def test_lines_with_their_places(self):
        self.write("a.py", "x = 1\nTodo: ü\r\n")
        self.write("b/c.txt", "a todo\n")
        found = search_files("todo", ignore_case=True)
        self.assertEqual([tuple(one) for one in found], [("a.py", 2, "Todo: ü"), ("b/c.txt", 1, "a todo")])
        self.assertEqual(repr(found), "a.py:2: Todo: ü\nb/c.txt:1: a todo")
        self.assertEqual([one.path for one in search_files("todo")], ["b/c.txt"])
        self.assertEqual([one.path for one in search_files(re.compile("TODO", re.I), files="*.py")], ["a.py"])
        self.assertEqual([one.line for one in search_files("Todo", "a.py")], [2])

    def test_what_is_not_text_or_cannot_be_read_is_left_out(self):
        self.write("binary", b"todo\0")
        self.write("latin", b"todo \xfc")
        os.symlink("nowhere", "broken")
        os.mkfifo("pipe")
        self.assertEqual([tuple(one) for one in search_files("todo")], [("latin", 1, "todo \ufffd")])

    def test_it_stops_at_its_limit_and_shows_only_the_beginning_of_long_lines(self):
        self.write("a", "x" * 10_000 + "\nx\n")
        found = search_files("x", limit=1)
        self.assertEqual((len(found), found.complete, len(found[0].text)), (1, False, 10_000))
        self.assertLess(len(repr(found)), 700)
        self.assertEqual(self.told[-1]["complete"], False)

    def test_a_bad_expression_is_pythons_own_error(self):
        with self.assertRaises(re.error):
            search_files("(")


if __name__ == "__main__":
    unittest.main()
