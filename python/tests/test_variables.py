"""Descriptions of the user's variables for the host."""

from __future__ import annotations

import collections
import datetime
import decimal
import importlib.util
import pathlib
import sys
import types
import unittest

from granary_runner.values import type_facts
from granary_runner.values.sketches import sketch
from granary_runner.values.variables import listing


class CountingClass(type):
    """Every comparison and every hash of such a class is counted: a set or a dict of types would need them."""

    asked = 0

    def __hash__(cls):
        CountingClass.asked += 1
        return 1

    def __eq__(cls, other):
        CountingClass.asked += 1
        return True


class Zone(datetime.tzinfo):
    def utcoffset(self, moment):
        raise AssertionError("the zone was asked")

    __repr__ = __str__ = tzname = dst = utcoffset


class Sketches(unittest.TestCase):
    def assert_sketches(self, expected: dict) -> None:
        for text, value in expected.items():
            with self.subTest(text):
                self.assertEqual(sketch(value, 200), text)

    def test_short_plain_values_look_as_python_writes_them(self):
        values = [
            *(None, True, ..., 0, -7, 1.5, float("nan"), 2j, "it's", b"\x00a", bytearray(b"x"), "\ud800"),
            *([], [1, "a"], (), (1,), (1, 2), {}, {"a": [1]}, set(), {1}, frozenset(), frozenset([1])),
            *(range(3), range(0, 9, 2)[1:1], collections.deque([1, 2]), ValueError("why", 2), KeyError("k")),
        ]
        for value in values:
            with self.subTest(repr(value)):
                self.assertEqual(sketch(value, 200), repr(value))

    def test_a_subclass_shows_what_it_holds_under_its_own_name(self):
        self.assert_sketches(
            {
                "Counter({'a': 2})": collections.Counter("aa"),
                "OrderedDict({'b': 1, 'a': 2})": collections.OrderedDict(b=1, a=2),
                "defaultdict({1: [2]})": collections.defaultdict(list, {1: [2]}),
                "Point((1, 2))": collections.namedtuple("Point", "x y")(1, 2),
            }
        )

    def test_values_of_the_standard_library_are_known(self):
        self.assert_sketches(
            {
                "PosixPath('/a/b')": pathlib.Path("/a") / "b",
                "PosixPath('b/c.txt')": pathlib.Path("a", "..", "b", "c.txt").relative_to("a/.."),
                "PosixPath('/y')": pathlib.Path("x") / "/y",
                "PosixPath('.')": pathlib.Path(),
                "Decimal(1.50)": decimal.Decimal("1.50"),
                "date(2024-02-29)": datetime.date(2024, 2, 29),
                "datetime(2024-02-29 12:30:00)": datetime.datetime(2024, 2, 29, 12, 30),
                "datetime(2024-02-29 12:30:00, Zone)": datetime.datetime(2024, 2, 29, 12, 30, tzinfo=Zone()),
                "timedelta(1 day, 0:00:01)": datetime.timedelta(1, 1),
            }
        )

    def test_what_is_long_is_cut_and_says_so(self):
        for value in ("x" * 10**6, b"x" * 10**6, list(range(10**5)), dict.fromkeys(range(10**5)), set(range(10**5))):
            with self.subTest(type(value).__name__):
                text = sketch(value, 40)
                self.assertEqual((len(text), text[-1]), (40, "…"))

    def test_every_length_is_kept_to(self):
        value = {"key": ["some text", (1, 2.5, None), {3, 4}], "other": range(10)}
        whole = sketch(value, 1000)
        for longest in range(1, len(whole) + 1):
            text = sketch(value, longest)
            self.assertLessEqual(len(text), longest)
            self.assertEqual(text, whole if longest == len(whole) else whole[: longest - 1] + "…")

    def test_what_is_deep_or_holds_itself_is_cut(self):
        itself: list = []
        itself.append(itself)
        self.assert_sketches({"[[[[…]]]]": itself, "[1, [2, [3, […]]]]": [1, [2, [3, [4, [5]]]]]})

    def test_numbers_too_long_to_be_written_tell_their_bits(self):
        self.assert_sketches({"<int of 10000001 bits>": 1 << 10**7, "[<int of 4097 bits>]": [1 << 4096]})
        self.assertEqual(sketch(decimal.Decimal("1" * 10000), 200), "<Decimal object>")

    def test_functions_classes_and_modules_are_lines_of_their_own_kind(self):
        def function(a, b=1, *rest, c, **more):
            local = a
            return local

        def keyword(*, only):
            pass

        self.assert_sketches(
            {
                "[function(a, b, *rest, c, **more), keyword(*, only)]": [function, keyword],
                "len(…)": len,
                "class OrderedDict(dict)": collections.OrderedDict,
                "class object": object,
                "module sys": sys,
                "module": _without_a_name(),
            }
        )

    def test_a_class_is_neither_hashed_nor_compared(self):
        counting = CountingClass("Counting", (), {})
        CountingClass.asked = 0
        self.assertEqual(sketch([counting(), counting], 200), "[<Counting object>, class Counting]")
        listing({"value": counting(), "Counting": counting}, 10, 100)
        self.assertEqual(CountingClass.asked, 0)

    def test_somebody_elses_class_under_a_known_name_is_not_trusted(self):
        fake = type("Decimal", (), {"__module__": "decimal", "__str__": lambda self: self.fail()})
        self.assertEqual(sketch(fake(), 200), "<Decimal object>")


class Listings(unittest.TestCase):
    def names(self, namespace: dict, most: int = 100) -> list:
        return [variable["name"] for variable in listing(namespace, most, 100)["variables"]]

    def test_only_names_that_are_the_users_are_listed(self):
        odd_keys = {1: 1, None: 2, "two words": 3, "": 4, "x" * 1000: 5}
        namespace = {"__name__": "__main__", "_": 1, "_1": 1, "a": 1, **odd_keys, "b": 2}
        self.assertEqual(self.names(namespace), ["a", "b"])

    def test_data_is_listed_before_modules_when_not_all_can_be(self):
        found = listing({"sys": sys, "f": self.names, "g": sketch, "x": 1}, 2, 100)
        self.assertEqual([variable["name"] for variable in found["variables"]], ["f", "x"])
        self.assertEqual(found["total"], 4)

    def test_a_name_that_is_deleted_meanwhile_is_left_out(self):
        class Deleting(dict):
            def get(self, name, *default):
                return default[0] if default and name == "gone" else super().get(name, *default)

        found = listing(Deleting(gone=1, there=2), 10, 100)
        self.assertEqual(([variable["name"] for variable in found["variables"]], found["total"]), (["there"], 1))

    def test_lengths_and_sizes_are_those_of_the_built_in_type(self):
        class Liar(list):
            def __len__(self):
                return 7

            __sizeof__ = __len__

        liar = Liar([1, 2])
        [found] = listing({"liar": liar}, 10, 100)["variables"]
        self.assertEqual((found["length"], found["size"]), (2, list.__sizeof__(liar)))
        [endless] = listing({"endless": range(10**30)}, 10, 100)["variables"]
        self.assertIsNone(endless["length"])

    def test_a_type_names_its_module_unless_everybody_knows_it(self):
        mine = type("Mine", (), {"__module__": "__main__"})
        odd = type("Odd", (), {"__module__": property(self.fail)})
        found = listing({"a": 1, "b": mine(), "c": collections.Counter(), "d": odd()}, 10, 100)["variables"]
        self.assertEqual([variable["module"] for variable in found], [None, None, "collections", None])

    def test_a_module_that_loads_itself_when_touched_is_not_touched(self):
        name = "granary_lazy_sample"
        spec = importlib.util.spec_from_loader(name, _NeverLoads())
        module = importlib.util.module_from_spec(spec)
        importlib.util.LazyLoader(spec.loader).exec_module(module)
        [lazy] = listing({"lazy": module}, 10, 100)["variables"]
        self.assertEqual((lazy["kind"], lazy["value"]), ("module", f"module {name}"))


class TypeFacts(unittest.TestCase):
    def test_names_that_are_texts_of_somebodys_class_become_plain(self):
        class Text(str):
            def __getitem__(self, index):
                raise AssertionError

            __str__ = __repr__ = __len__ = __getitem__

        named = type("Before", (), {})
        named.__qualname__ = Text("After")
        self.assertIs(type(type_facts.name_of(named)), str)
        self.assertEqual(type_facts.name_of(named), "After")


class _NeverLoads:
    def create_module(self, spec):
        return None

    def exec_module(self, module):
        raise AssertionError("the module was loaded")


def _without_a_name() -> types.ModuleType:
    module = types.ModuleType("x")
    del module.__name__
    return module


if __name__ == "__main__":
    unittest.main()
