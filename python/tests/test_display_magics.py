"""Magics about what is shown: markup, captured output, settings of figures and numbers."""

from __future__ import annotations

import json
import sys
import unittest

from granary_runner.formats import bundle, figure_settings
from granary_runner.magics.syntax.usage_error import UsageError

from tests.standins import NotebookTest


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
        self.run_cell("%unload_ext autoreload\n%load_ext autoreload")
        self.assertEqual(self.stdout, "")
        self.run_cell("%load_ext autoreload")
        self.assertIn("The autoreload extension is already loaded", self.stdout)
        self.run_cell("%reload_ext autoreload")
        self.assertEqual(self.stdout, "")
        with self.assertRaisesRegex(UsageError, "There is no extension nonesuch"):
            self.run_cell("%load_ext nonesuch")
        with self.assertRaisesRegex(UsageError, "json is no extension"):
            self.run_cell("%load_ext json")


if __name__ == "__main__":
    unittest.main()
