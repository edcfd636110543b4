"""The representation of an object."""

from __future__ import annotations

import json
import unittest
from importlib.util import find_spec
from unittest.mock import MagicMock, patch

from granary_runner.formats import bundle, clean
from granary_runner.formats.json_safe import json_safe, json_text


def bundle_and_failures(obj, **options):
    failures = []
    data, metadata = bundle(obj, failures=failures, **options)
    json.dumps([data, metadata], allow_nan=False)  # any bundle can be sent
    return data, metadata, failures


class ReadableForms(unittest.TestCase):
    def table(self, text: str) -> tuple:
        asked = []

        class Table:
            def __repr__(self):
                return text

            def _repr_html_(self):
                asked.append("html")
                return "<b>html</b>"

        return Table(), asked

    def test_beside_a_readable_text_no_html_is_computed(self):
        table, asked = self.table("a  b\n1  2")
        self.assertEqual(bundle(table, only_readable=True), ({"text/plain": "a  b\n1  2"}, {}))
        self.assertEqual(asked, [])
        self.assertIn("text/html", bundle(table)[0])

    def test_beside_any_other_text_it_is(self):
        for text in ("<A object at 0x7f>", "GT(_body=<Body object at 0x7f>)", "", " "):
            table, asked = self.table(text)
            self.assertEqual(bundle(table, only_readable=True)[0], {"text/html": "<b>html</b>", "text/plain": text})
            self.assertEqual(asked, ["html"])

    def test_a_text_that_fails_is_reported_and_leaves_the_html(self):
        class Broken:
            def __repr__(self):
                raise ValueError("no text")

            def _repr_html_(self):
                return "<b>html</b>"

        data, _, failures = bundle_and_failures(Broken(), only_readable=True)
        self.assertEqual((data, [str(problem) for problem in failures]), ({"text/html": "<b>html</b>"}, ["no text"]))

    def test_a_drawing_without_its_program_is_its_source(self):
        drawing = type("JupyterIntegration", (), {"__module__": "graphviz.jupyter_integration", "source": "digraph {}\n"})
        missing = type("ExecutableNotFound", (RuntimeError,), {})

        def fail(self, include=None, exclude=None):
            raise missing("dot")

        drawing._repr_mimebundle_ = fail
        data, _, failures = bundle_and_failures(drawing())
        self.assertTrue(data["text/plain"].startswith("graphviz drawing, not drawn: the program dot is not installed"))
        self.assertTrue(data["text/plain"].endswith("\ndigraph {}"))
        self.assertEqual(failures, [])


class Representations(unittest.TestCase):
    def test_an_ordinary_object_is_its_repr(self):
        self.assertEqual(bundle(3), ({"text/plain": "3"}, {}))

    def test_each_repr_method_gives_its_mime_type(self):
        class Everything:
            def __repr__(self):
                return "plain"

            def _repr_html_(self):
                return "<b>html</b>"

            def _repr_markdown_(self):
                return "*markdown*"

            def _repr_svg_(self):
                return "<svg/>"

            def _repr_png_(self):
                return b"\x89PNG"

            def _repr_jpeg_(self):
                return b"\xff\xd8"

            def _repr_latex_(self):
                return "$x$"

            def _repr_json_(self):
                return {"a": 1}

            def _repr_javascript_(self):
                return "alert(1)"

            def _repr_pdf_(self):
                return b"%PDF"

        self.assertEqual(bundle(Everything())[0], {
            "text/plain": "plain",
            "text/html": "<b>html</b>",
            "text/markdown": "*markdown*",
            "image/svg+xml": "<svg/>",
            "image/png": "iVBORw==",
            "image/jpeg": "/9g=",
            "text/latex": "$x$",
            "application/json": {"a": 1},
            "application/javascript": "alert(1)",
            "application/pdf": "JVBERg==",
        })

    def test_a_method_may_return_metadata_or_decline(self):
        class Sized:
            def _repr_png_(self):
                return b"\x89PNG", {"width": 10}

            def _repr_html_(self):
                return None

            def _repr_latex_(self):
                raise NotImplementedError

        data, metadata, failures = bundle_and_failures(Sized())
        self.assertEqual(set(data), {"image/png", "text/plain"})
        self.assertEqual(metadata, {"image/png": {"width": 10}})
        self.assertEqual(failures, [])

    def test_repr_mimebundle_comes_first_and_the_other_methods_fill_in(self):
        class Both:
            def _repr_mimebundle_(self, include=None, exclude=None):
                return {"text/html": "from the bundle", "text/plain": "its own text", "x/y": None}, {"text/html": {"isolated": True}}

            def _repr_html_(self):
                return "not this one"

            def _repr_markdown_(self):
                return "*and this*"

        data, metadata = bundle(Both())
        self.assertEqual(data, {"text/html": "from the bundle", "text/plain": "its own text", "text/markdown": "*and this*"})
        self.assertEqual(metadata, {"text/html": {"isolated": True}})

    def test_include_and_exclude_choose_mime_types(self):
        class Two:
            def __repr__(self):
                return "plain"

            def _repr_html_(self):
                return "html"

        self.assertEqual(bundle(Two(), include=["text/html"])[0], {"text/html": "html"})
        self.assertEqual(bundle(Two(), exclude=["text/html"])[0], {"text/plain": "plain"})

    def test_an_object_may_display_itself_instead(self):
        calls = []

        class Itself:
            def _ipython_display_(self):
                calls.append("displayed")

        self.assertEqual(bundle(Itself()), ({}, {}))
        self.assertEqual(calls, ["displayed"])

    def test_an_object_that_declines_to_display_itself_is_formatted(self):
        class Declines:
            def _ipython_display_(self):
                raise NotImplementedError

            def _repr_html_(self):
                return "html"

        self.assertEqual(bundle(Declines())[0]["text/html"], "html")


class BrokenObjects(unittest.TestCase):
    def test_a_broken_repr_leaves_nothing_to_show_and_is_among_the_failures(self):
        class Thing:
            def __repr__(self):
                raise ValueError("no luck")

        failures = []
        self.assertEqual(bundle(Thing(), failures=failures), ({}, {}))
        self.assertEqual([str(failure) for failure in failures], ["no luck"])

    def test_a_value_inside_of_what_is_shown_is_named_where_its_text_fails(self):
        class Worse(Exception):
            def __str__(self):
                raise RuntimeError

        class Thing:
            def __repr__(self):
                raise Worse

        self.assertIn("repr failed: Worse", clean({"application/json": {"a": Thing()}}, None)[0]["application/json"]["a"])

    def test_a_method_that_raises_leaves_the_others_and_is_among_the_failures(self):
        class Thing:
            def _repr_html_(self):
                raise ValueError("bad\ndata")

            def _repr_markdown_(self):
                return "*fine*"

        data, _, failures = bundle_and_failures(Thing())
        self.assertEqual(set(data), {"text/markdown", "text/plain"})
        self.assertEqual([str(failure) for failure in failures], ["bad\ndata"])

    def test_an_interrupt_is_not_swallowed(self):
        class Slow:
            def _repr_html_(self):
                raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            bundle(Slow())

    def test_an_object_that_has_every_attribute_is_only_its_repr(self):
        self.assertEqual(set(bundle_and_failures(MagicMock())[0]), {"text/plain"})

    def test_an_object_whose_attributes_raise_is_only_its_repr(self):
        class Proxy:
            def __getattr__(self, name):
                raise ConnectionError("not connected")

        data, _, failures = bundle_and_failures(Proxy())
        self.assertEqual(set(data), {"text/plain"})
        self.assertEqual(failures, [])

    def test_a_class_is_not_taken_for_its_instances(self):
        class Rich:
            def _repr_html_(self):
                return "html"

        self.assertEqual(set(bundle(Rich)[0]), {"text/plain"})


class CleanValues(unittest.TestCase):
    def test_bytes_are_base64_except_where_the_type_is_text(self):
        data, _ = clean({"image/gif": b"GIF8", "image/svg+xml": b"<svg/>", "text/html": bytearray(b"\xc3\xa9")}, None)
        self.assertEqual(data, {"image/gif": "R0lGOA==", "image/svg+xml": "<svg/>", "text/html": "é"})

    def test_what_is_not_text_becomes_text(self):
        self.assertEqual(clean({"text/html": 3}, None)[0], {"text/html": "3"})

    def test_json_types_hold_json_values(self):
        value = {"numbers": [1, 2.5, float("nan"), float("inf")], 3: (True, None), "when": 1j}
        expected = {"numbers": [1, 2.5, None, None], "3": [True, None], "when": "1j"}
        for mime in ("application/json", "application/vnd.x+json", "application/vnd.vegalite.v6.json"):
            self.assertEqual(clean({mime: value}, None)[0], {mime: expected})

    def test_circular_and_bottomless_values_end_in_a_marker(self):
        circle = {}
        circle["self"] = [circle]
        self.assertEqual(json_safe(circle), {"self": ["<circular reference>"]})

        class Well:
            def tolist(self):
                return [Well()]

        with patch("granary_runner.formats.json_safe.DEEPEST", 2_000):
            self.assertEqual(json_text(json_safe(Well())), "[" * 2_000 + '"<nested too deeply>"' + "]" * 2_000)

    def test_a_value_of_any_depth_is_written_as_it_is(self):
        for depth in (10, 3_000, 10_000):
            well, pit = [], 1
            for _ in range(depth - 1):
                well = [well]
            for _ in range(depth):
                pit = {"a": pit, "b": [0.5, None, "é"]}
            self.assertEqual(json_text(json_safe(well)), "[" * depth + "]" * depth)
            expected = '{"a":' * depth + "1" + ',"b":[0.5,null,"\\u00e9"]}' * depth
            self.assertTrue(json_text(json_safe(pit)) == expected, depth)

    def test_the_same_value_twice_is_not_a_circle(self):
        row = [1]
        self.assertEqual(json_safe([row, row]), [[1], [1]])

    def test_enormous_integers_and_values_without_text_can_be_sent(self):
        class Silent:
            def __str__(self):
                raise ValueError

        json.dumps(json_safe([10 ** 5000, Silent(), {Silent(): b"x"}]))

    @unittest.skipUnless(find_spec("numpy"), "numpy is not installed")
    def test_numpy_values_become_plain_numbers_and_lists(self):
        import numpy

        value = [numpy.int64(1), numpy.float32(0.5), numpy.float64("nan"), numpy.bool_(True), numpy.arange(3)]
        self.assertEqual(json_safe(value), [1, 0.5, None, True, [0, 1, 2]])


if __name__ == "__main__":
    unittest.main()
