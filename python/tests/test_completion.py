"""Completions at the cursor."""

from __future__ import annotations

import collections
import os
import sys
import unittest

from granary_runner.completion import complete
from granary_runner.magics import registered

from tests.standins import NotebookTest


class Broken:
    def __dir__(self):
        raise RuntimeError("no")

    def __getattr__(self, name):
        raise RuntimeError("no")

    def method(self):
        pass


class Odd:
    def __dir__(self):
        return ["fine", 3, None]


class Computed:
    calls = 0

    @property
    def path(self):
        return os.path

    def call(self):
        Computed.calls += 1
        return self


class Completion(NotebookTest):
    NAMES = {
        "alpha": 1, "alphabet": 2, "_alpine": 3, "größe": 4, "os": os, "broken": Broken(), "odd": Odd(),
        "computed": Computed(), "table": {"first": 1, "fig": 2, "it's": 3, 4: 5, "_id": 6},
        "d": collections.OrderedDict(key=1),
    }

    def complete(self, code, cursor=None):
        found = complete(self.NAMES, code, len(code) if cursor is None else cursor)
        found.pop("details", None)
        return found

    def matches(self, code, cursor=None):
        return self.complete(code, cursor)["matches"]

    def test_names_builtins_and_keywords(self):
        self.assertEqual(self.complete("x = alp"), {"matches": ["alpha", "alphabet"], "start": 4, "end": 7})
        self.assertIn("print", self.matches("pri"))
        self.assertIn("lambda", self.matches("lam"))
        self.assertEqual(self.matches("_alp"), ["_alpine"])
        self.assertEqual(self.matches(""), [])

    def test_positions_count_code_points(self):
        self.assertEqual(self.complete("'😀'; grö"), {"matches": ["größe"], "start": 5, "end": 8})

    def test_the_cursor_may_be_in_the_middle_or_on_a_later_line(self):
        self.assertEqual(self.complete("alp + 1", 3), {"matches": ["alpha", "alphabet"], "start": 0, "end": 3})
        self.assertEqual(self.complete("x = 1\nalph\ny", 10)["start"], 6)
        self.assertEqual(self.complete("alp", 99)["end"], 3)

    def test_attributes(self):
        found = self.complete("os.pat")
        self.assertEqual((found["start"], "path" in found["matches"]), (3, True))
        self.assertIn("join", self.matches("f(os.path.jo"))
        self.assertNotIn("__name__", self.matches("os."))
        self.assertIn("__name__", self.matches("os.__n"))
        self.assertIn("join", self.matches("computed.path.jo"))

    def test_nothing_is_called(self):
        self.assertEqual(self.matches("computed.call().ca"), [])
        self.assertEqual(self.matches("5.re"), [])
        self.assertEqual(Computed.calls, 0)

    def test_objects_that_raise_or_answer_oddly(self):
        self.assertIn("method", self.matches("broken."))
        self.assertEqual(self.matches("broken.missing."), [])
        self.assertEqual(self.matches("odd."), ["fine"])
        self.assertEqual(self.matches("missing."), [])

    def test_keys_of_a_dictionary(self):
        self.assertEqual(self.complete('table["fi'), {"matches": ["fig", "first"], "start": 7, "end": 9})
        self.assertEqual(self.matches("table['"), ["fig", "first", "it\\'s", "_id"])
        self.assertEqual(self.matches("d['k"), ["key"])

    def test_magics(self):
        self.assertEqual(self.complete("%timei"), {"matches": ["%%timeit", "%timeit"], "start": 0, "end": 6})
        self.assertEqual(self.matches("%%timei"), ["%%timeit"])
        self.assertEqual(self.matches("x = %pw"), ["%pwd"])
        self.assertEqual(self.matches("a\n%%timei"), [])

    def test_magics_that_code_has_registered(self):
        self.addCleanup(registered.LINE.clear)
        self.addCleanup(registered.CELL.clear)
        registered.register(print, "line", "my_line")
        registered.register(print, "line_cell", "my_both")
        registered.register(print, "cell", "timeit")
        self.assertEqual(self.matches("%my"), ["%%my_both", "%my_both", "%my_line"])
        self.assertEqual(self.matches("%%my"), ["%%my_both"])
        self.assertEqual(self.matches("x = 1\n%my"), ["%my_both", "%my_line"])
        self.assertEqual(self.matches("%timei"), ["%%timeit", "%timeit"])

    def test_modules(self):
        self.assertIn("collections", self.matches("import colle"))
        self.assertIn("collections", self.matches("import os, colle"))
        self.assertIn("sys", self.matches("from sy"))
        self.assertIn("abc", self.matches("import collections.a"))
        self.assertEqual(self.matches("from os im"), ["import"])

    def test_members_of_a_module(self):
        self.assertEqual(self.matches("from os import paths"), ["pathsep"])
        self.assertIn("getcwd", self.matches("from os import path, getc"))
        self.assertIn("getcwd", self.matches("from os import (path, getc"))

    def test_modules_are_not_imported_to_look_into_them(self):
        self.write("unseen/__init__.py", "raise RuntimeError('imported')\ndef found(): pass\nFOUND = 1\n")
        self.write("unseen/inner.py", "def deep(): pass\n")
        self.assertIn("unseen", self.matches("import unse"))
        self.assertEqual(self.matches("from unseen import fo"), ["found"])
        self.assertEqual(self.matches("import unseen.in"), ["inner"])
        self.assertEqual(self.matches("from unseen.inner import de"), ["deep"])
        self.assertNotIn("unseen", sys.modules)

    def test_file_names_inside_a_string(self):
        self.write("data/table.csv", "")
        self.assertEqual(self.complete("open('da"), {"matches": ["data/"], "start": 6, "end": 8})
        self.assertEqual(self.complete("open('data/ta")["matches"], ["table.csv"])
        self.assertEqual(self.matches("open('missing/x"), [])

    def test_imports_over_several_lines_and_behind_a_colon(self):
        self.assertIn("getcwd", self.matches("from os import (\n    path,\n    getc"))
        self.assertIn("collections", self.matches("try: import colle"))
        self.assertIn("collections", self.matches("x = 1; import colle"))


if __name__ == "__main__":
    unittest.main()
