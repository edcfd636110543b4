"""display() and its family."""

from __future__ import annotations

import unittest
from unittest.mock import patch

from granary_runner import display as module
from granary_runner.display import (
    DisplayHandle,
    clear_output,
    display,
    display_html,
    display_png,
    publish_display_data,
    update_display,
)


class Channel:
    """Stands where `emit` is, and remembers."""

    def __init__(self):
        self.sent = []

    def display(self, data, metadata, display_id=None, update=False, line=None):
        self.sent.append((data, metadata, display_id, update))

    def clear(self, wait):
        self.sent.append(("clear", wait))


class Page:
    def __repr__(self):
        return "page"

    def _repr_html_(self):
        return "<p>", {"isolated": True}


class Display(unittest.TestCase):
    def setUp(self):
        self.channel = Channel()
        patcher = patch.object(module, "emit", self.channel)
        patcher.start()
        self.addCleanup(patcher.stop)

    def shown(self):
        return [event[0] for event in self.channel.sent]

    def test_several_objects_are_several_displays(self):
        self.assertIsNone(display(1, "two"))
        self.assertEqual(self.channel.sent, [({"text/plain": "1"}, {}, None, False), ({"text/plain": "'two'"}, {}, None, False)])

    def test_a_raw_display_is_a_bundle_already(self):
        display({"text/html": "<p>", "image/png": b"\x89PNG"}, raw=True)
        self.assertEqual(self.shown(), [{"text/html": "<p>", "image/png": "iVBORw=="}])

    def test_include_and_exclude_choose_the_formats(self):
        display(Page(), include=["text/html"])
        display(Page(), exclude=["text/html"])
        self.assertEqual(self.shown(), [{"text/html": "<p>"}, {"text/plain": "page"}])

    def test_metadata_of_the_caller_joins_that_of_the_object(self):
        display(Page(), metadata={"text/html": {"width": 3}, "mine": float("nan")})
        self.assertEqual(self.channel.sent[0][1], {"text/html": {"isolated": True, "width": 3}, "mine": None})

    def test_a_display_id_makes_a_display_that_can_be_updated(self):
        handle = display(1, display_id="place")
        handle.update(2)
        handle.display(3)
        update_display(4, display_id="place")
        self.assertEqual([(data["text/plain"], *where) for data, _, *where in self.channel.sent],
                         [("1", "place", False), ("2", "place", True), ("3", "place", False), ("4", "place", True)])

    def test_a_new_display_id_can_be_asked_for(self):
        first, second = display(1, display_id=True), display(1, display_id=True)
        self.assertNotEqual(first.display_id, second.display_id)
        self.assertEqual([event[2] for event in self.channel.sent], [first.display_id, second.display_id])

    def test_an_empty_place_can_be_reserved(self):
        handle = display(display_id="later")
        self.assertIsInstance(handle, DisplayHandle)
        self.assertEqual(self.channel.sent, [({}, {}, "later", False)])

    def test_an_update_without_a_display_id_is_refused(self):
        with self.assertRaises(TypeError):
            display(1, update=True)

    def test_clear_waits_for_the_next_output_when_asked(self):
        clear_output()
        clear_output(wait=True)
        display(1, clear=True)
        self.assertEqual(self.channel.sent[:3], [("clear", False), ("clear", True), ("clear", True)])

    def test_an_object_that_displays_itself_is_not_displayed_again(self):
        class Itself:
            def _ipython_display_(self):
                display("by itself")

        display(Itself())
        self.assertEqual(self.shown(), [{"text/plain": "'by itself'"}])

    def test_a_finished_bundle_can_be_published_and_updated(self):
        publish_display_data({"text/plain": "x"}, {"m": 1}, transient={"display_id": "place"})
        publish_display_data({"text/plain": "y"}, transient={"display_id": "place"}, update=True)
        self.assertEqual(self.channel.sent, [
            ({"text/plain": "x"}, {"m": 1}, "place", False),
            ({"text/plain": "y"}, {}, "place", True),
        ])

    def test_one_format_can_be_displayed_alone(self):
        display_html(Page())
        display_html("<i>", raw=True)
        display_png(b"\x89PNG", raw=True, metadata={"width": 1})
        self.assertEqual(self.shown(), [{"text/html": "<p>"}, {"text/html": "<i>"}, {"image/png": "iVBORw=="}])
        self.assertEqual(self.channel.sent[2][1], {"image/png": {"width": 1}})


if __name__ == "__main__":
    unittest.main()
