"""@tool: schemas from type hints, checks of what has come, values that go back."""

from __future__ import annotations

import builtins
import json
import sys
import unittest
from dataclasses import dataclass, field
from typing import Any, Dict, List, Literal, Optional, Union
from unittest.mock import patch

from granary_prelude import python_tools, tool
from granary_prelude.hint_kinds import kind_of


@dataclass
class Point:
    x: float
    y: float = 0.0
    tags: List[str] = field(default_factory=list)


class Schemas(unittest.TestCase):
    def test_each_hint_has_the_schema_that_an_agent_can_follow(self):
        point = {
            "type": "object",
            "properties": {
                "x": {"type": "number"},
                "y": {"type": "number"},
                "tags": {"type": "array", "items": {"type": "string"}},
            },
            "required": ["x"],
            "additionalProperties": False,
        }
        cases = [
            (str, {"type": "string"}),
            (int, {"type": "integer"}),
            (float, {"type": "number"}),
            (bool, {"type": "boolean"}),
            (Any, {}),
            (list, {"type": "array"}),
            (List, {"type": "array"}),
            (List[int], {"type": "array", "items": {"type": "integer"}}),
            (dict, {"type": "object"}),
            (Dict, {"type": "object"}),
            (Dict[str, List[bool]], {"type": "object", "additionalProperties": kind_of(List[bool], "x").schema}),
            (Optional[int], {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
            (Union[int, str], {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
            (Literal["a", 1, None], {"enum": ["a", 1, None]}),
            (Point, point),
        ]
        for hint, schema in cases:
            with self.subTest(hint):
                self.assertEqual(kind_of(hint, "x").schema, schema)

    @unittest.skipIf(sys.version_info < (3, 10), "written so from Python 3.10 on")
    def test_todays_spelling_of_hints(self):
        from typing import Annotated

        self.assertEqual(kind_of(int | None, "x").schema, kind_of(Optional[int], "x").schema)
        self.assertEqual(kind_of(list[dict[str, int]], "x").schema, kind_of(List[Dict[str, int]], "x").schema)
        described = kind_of(Annotated[int, "how many"], "x").schema
        self.assertEqual(described, {"type": "integer", "description": "how many"})

    def test_a_hint_that_no_json_fits_is_refused(self):
        for hint in (set, bytes, object, Dict[int, str], complex, "str", List[set]):
            with self.subTest(hint), self.assertRaisesRegex(TypeError, "the parameter x"):
                kind_of(hint, "the parameter x")


class Checks(unittest.TestCase):
    def taken(self, hint, value):
        return kind_of(hint, "x").take(value, "x")

    def test_what_fits_is_taken(self):
        self.assertEqual(self.taken(Point, {"x": 1, "tags": ["a"]}), Point(1.0, 0.0, ["a"]))
        self.assertIs(type(self.taken(float, 3)), float)
        self.assertIs(type(self.taken(int, 3.0)), int)
        self.assertIsNone(self.taken(Optional[int], None))
        self.assertEqual(self.taken(List[Optional[int]], [1, None]), [1, None])
        self.assertEqual(self.taken(Union[int, str], "a"), "a")

    def test_what_does_not_fit_is_named(self):
        cases = [
            (int, "2", "x must be a whole number, not '2'"),
            (int, True, "x must be a whole number, not True"),
            (float, True, "x must be a number, not True"),
            (bool, 1, "x must be true or false, not 1"),
            (str, None, "x must be a text, not None"),
            (List[int], [1, "b"], r"x\[1\] must be a whole number, not 'b'"),
            (Dict[str, int], {"a": None}, r"x\['a'\] must be a whole number, not None"),
            (Literal["a", 1], True, "x must be one of 'a', 1, not True"),
            (Optional[int], "a", "x must be a whole number, not 'a', and x must be null, not 'a'"),
            (Point, {"y": 1}, "x.x is missing"),
            (Point, {"x": 1, "z": 1}, "there is no x.z; there are: x, y, tags"),
            (Point, {"x": "1"}, "x.x must be a number, not '1'"),
            (str, ["long"] * 100, "x must be a text, not .{79}…$"),
        ]
        for hint, value, sentence in cases:
            with self.subTest(sentence), self.assertRaisesRegex(TypeError, "^" + sentence):
                self.taken(hint, value)


class Offers(unittest.TestCase):
    def setUp(self) -> None:
        self.news: list = []
        self.shown: list = []
        for change in (
            patch.object(builtins, "display", self._display, create=True),
            patch.dict(python_tools._offers, clear=True),
        ):
            change.start()
            self.addCleanup(change.stop)

    def _display(self, shown, raw=False) -> None:
        if raw:
            self.news.append(shown[python_tools.MIME])
        else:
            self.shown.append(shown)

    def test_the_host_is_told_of_every_change(self):
        @tool
        def add(a: int, b: int = 2) -> int:
            """Adds.

            Whole numbers only.
            """
            return a + b

        @tool(name="other", description="Does nothing.")
        async def nothing() -> None: ...

        self.assertEqual([[each["name"] for each in news["tools"]] for news in self.news], [["add"], ["add", "other"]])
        first, other = self.news[-1]["tools"]
        self.assertEqual(first["description"], "Adds.\n\nWhole numbers only.")
        self.assertEqual(first["inputSchema"]["properties"]["b"], {"type": "integer", "default": 2})
        self.assertEqual(first["inputSchema"]["required"], ["a"])
        self.assertEqual((first["awaits"], other["awaits"], other["description"]), (False, True, "Does nothing."))
        with self.assertRaises(python_tools.ToolsOffered) as told:
            python_tools.report()
        self.assertEqual(json.loads(str(told.exception)), [first, other])

    def test_values_go_back_as_json_where_they_can_and_are_shown_where_not(self):
        @tool
        def give(what: str):
            return {"point": Point(1.0), "tuple": (1, "a"), "nothing": None, "nan": float("nan"), "set": {1}}[what]

        self.news.clear()
        for what in ("point", "tuple", "nothing", "nan", "set"):
            python_tools.call("give", json.dumps({"what": what}))
        values = [news["value"] for news in self.news]
        self.assertEqual(values, [{"x": 1.0, "y": 0.0, "tags": []}, (1, "a"), None])
        self.assertEqual([str(each) for each in self.shown], ["nan", "{1}"])

    def test_what_cannot_be_offered_is_refused_at_once(self):
        def no_hint(a): ...
        def many(*a: int): ...
        def more(**a: int): ...
        def missing(a: Nowhere): ...  # noqa: F821

        cases = [
            (no_hint, "no_hint: the parameter a has no type hint.*write a: str"),
            (many, "many: the parameter a cannot be given by name"),
            (more, "more: the parameter a cannot be given by name"),
            (missing, "missing: its type hints cannot be read.*Nowhere"),
            (lambda: 1, "'<lambda>' is no name for a tool"),
            (print, "@tool marks functions"),
            (Point, "@tool marks functions"),
        ]
        for function, sentence in cases:
            with self.subTest(sentence), self.assertRaisesRegex(TypeError, sentence):
                tool(function)
        self.assertEqual(python_tools.facts(), [])

    def test_an_unknown_name_is_told_with_the_known_ones(self):
        @tool
        def known() -> None: ...

        with self.assertRaisesRegex(LookupError, "There is no Python tool nope. There are: known."):
            python_tools.call("nope", "{}")


if __name__ == "__main__":
    unittest.main()
