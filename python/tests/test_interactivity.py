"""`InteractiveShell.ast_node_interactivity` chooses which values of a cell are shown."""

from __future__ import annotations

import sys
import unittest
from types import ModuleType
from unittest.mock import patch

from granary_runner.cells import compiling

from tests.standins import NotebookTest


class Interactivity(NotebookTest):
    def setUp(self):
        super().setUp()
        module = ModuleType("IPython.core.interactiveshell")
        self.shell = module.InteractiveShell = type("InteractiveShell", (), {"ast_node_interactivity": object()})
        modules = patch.dict(sys.modules, {module.__name__: module})
        modules.start()
        self.addCleanup(modules.stop)

    def shown(self, choice, cell):
        self.shell.ast_node_interactivity = choice
        self.notebook.results.clear()
        last = self.run_cell(cell)
        return self.notebook.results + ([] if last is None else [last])

    def test_all_shows_every_expression_that_is_not_in_a_function(self):
        cell = "1\nx = 2\nx\nNone\nfor i in 'ab':\n    if i:\n        i\ndef f():\n    5\n    return 6\nf()\n7"
        self.assertEqual(self.shown("all", cell), [1, 2, "a", "b", 6, 7])
        self.assertEqual(self.shown("all", "1; 2; 3"), [1, 2, 3])
        self.assertEqual(self.shown("all", "1\n2;"), [1])
        self.assertEqual(self.shown("all", "try:\n    1\n    1 / 0\nexcept Exception:\n    2\nelse:\n    3\nfinally:\n    4"), [1, 2, 4])

    def test_all_works_with_magics_and_pasted_code(self):
        self.assertEqual(self.shown("all", ">>> 1\n>>> x = !echo 2\n>>> x[0]"), [1, "2"])

    def test_last_shows_the_values_in_the_last_statement(self):
        self.assertEqual(self.shown("last", "1\nfor i in range(2):\n    i"), [0, 1])
        self.assertEqual(self.shown("last", "1\n2"), [2])

    def test_last_expr_or_assign_shows_what_was_assigned(self):
        self.assertEqual(self.shown("last_expr_or_assign", "1\nx = 2"), [2])
        self.assertEqual(self.shown("last_expr_or_assign", "x += 1"), [3])
        self.assertEqual(self.shown("last_expr_or_assign", "x: int = 4"), [4])
        self.assertEqual(self.shown("last_expr_or_assign", "x, y = 1, 2"), [])
        self.assertEqual(self.shown("last_expr_or_assign", "x = 4;"), [])

    def test_none_shows_nothing(self):
        self.assertEqual(self.shown("none", "1\n2"), [])
        self.assertEqual(self.shown("none", "2"), [])

    def test_anything_else_means_the_last_expression(self):
        for choice in ("last_expr", "nonsense", None, 5):
            self.assertEqual(self.shown(choice, "1\n2"), [2])

    def test_the_shell_itself_counts_before_its_class(self):
        module = ModuleType("granary_runner.ipython_shell")
        module._shell = type("Shell", (), {"ast_node_interactivity": "last_expr"})()
        with patch.dict(sys.modules, {module.__name__: module}):
            self.assertEqual(self.shown(None, "1\n2"), [2])
            module._shell.ast_node_interactivity = "all"
            self.assertEqual(self.shown("none", "1\n2"), [1, 2])

    def test_awaiting_cells_still_await(self):
        self.shell.ast_node_interactivity = "all"
        self.assertTrue(compiling.compile_cell("await x\nawait y", "<cell 9>").awaits)


if __name__ == "__main__":
    unittest.main()
