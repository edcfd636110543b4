"""Values look as in IPython, on every Python."""

from __future__ import annotations

import collections
import datetime
import os
import random
import re
import types
import unittest
from importlib.util import find_spec

from granary_runner.pretty import for_type, pretty


class Point:
    """Says how it looks, as sympy's and many other classes do."""

    def __init__(self, *parts) -> None:
        self.parts = parts

    def _repr_pretty_(self, p, cycle) -> None:
        if cycle:
            p.text("Point(...)")
            return
        with p.group(6, "Point(", ")"):
            for index, part in enumerate(self.parts):
                if index:
                    p.text(",")
                    p.breakable()
                p.pretty(part)


class TwoLines:
    def __repr__(self) -> str:
        return "first\nsecond"


class Plain:
    pass


def function(a, b=2):
    pass


class Values(unittest.TestCase):
    def test_what_fits_in_79_columns_stays_on_one_line(self):
        self.assertEqual(pretty({"a": [1, 2.5, None], "b": (True,)}), "{'a': [1, 2.5, None], 'b': (True,)}")
        self.assertEqual(pretty([10] * 19), "[" + ", ".join(["10"] * 19) + "]")

    def test_what_does_not_fit_has_one_item_per_line(self):
        self.assertEqual(pretty(["x" * 30] * 3), "['" + "x" * 30 + "',\n '" + "x" * 30 + "',\n '" + "x" * 30 + "']")

    def test_only_the_outer_container_breaks_when_the_inner_ones_fit(self):
        rows = [{"name": "a" * 20, "value": number} for number in range(2)]
        self.assertEqual(
            pretty(rows),
            "[{'name': 'aaaaaaaaaaaaaaaaaaaa', 'value': 0},\n {'name': 'aaaaaaaaaaaaaaaaaaaa', 'value': 1}]",
        )

    def test_classes_functions_and_exceptions_are_named(self):
        module = __name__
        self.assertEqual(pretty(type(1)), "int")
        self.assertEqual(pretty(Plain), module + ".Plain")
        self.assertEqual(pretty(function), "<function %s.function(a, b=2)>" % module)
        self.assertEqual(pretty(len), "<function len(obj, /)>")
        self.assertEqual(pretty(ValueError("bad", 3)), "ValueError('bad', 3)")
        self.assertRegex(pretty(Plain()), r"^<%s\.Plain at 0x[0-9a-f]+>$" % re.escape(module))

    def test_collections_look_like_the_call_that_makes_them(self):
        self.assertEqual(pretty(collections.OrderedDict(a=1)), "OrderedDict([('a', 1)])")
        self.assertEqual(pretty(collections.Counter("abb")), "Counter({'b': 2, 'a': 1})")
        self.assertEqual(pretty(collections.defaultdict(list, a=[])), "defaultdict(list, {'a': []})")
        self.assertEqual(pretty(collections.deque([1], 2)), "deque([1], maxlen=2)")
        self.assertEqual(pretty(types.SimpleNamespace(a=1)), "namespace(a=1)")
        self.assertEqual(pretty(re.compile("a\\d", re.I)), "re.compile(r'a\\d', re.IGNORECASE|re.UNICODE)")

    def test_sets_are_sorted(self):
        self.assertEqual(pretty({3, 1, 2}), "{1, 2, 3}")
        self.assertEqual(pretty(frozenset("ba")), "frozenset({'a', 'b'})")
        self.assertEqual(pretty(set()), "set()")

    def test_an_object_says_how_it_looks_also_inside_of_a_container(self):
        self.assertEqual(pretty([Point(1, Point())]), "[Point(1, Point())]")
        self.assertEqual(pretty({"at": TwoLines()}), "{'at': first\n second}")

    def test_a_container_inside_itself_ends(self):
        endless: list = [1]
        endless.append(endless)
        self.assertEqual(pretty(endless), "[1, [...]]")
        self.assertEqual(pretty({"point": Point(endless)}), "{'point': Point([1, [...]])}")

    def test_long_sequences_end_in_an_ellipsis(self):
        lines = pretty(list(range(2000))).split("\n")
        self.assertEqual((len(lines), lines[-2:]), (1001, [" 999,", " ...]"]))

    def test_a_printer_can_be_registered_for_a_type(self):
        before = for_type(float, lambda value, p, cycle: p.text("%.1f" % value))
        try:
            self.assertEqual(pretty([0.123, 1]), "[0.1, 1]")
        finally:
            for_type(float, before)


@unittest.skipUnless(find_spec("IPython"), "IPython is not installed")
class BesideIPython(unittest.TestCase):
    def test_random_nested_values_look_the_same(self):
        from IPython.lib.pretty import pretty as ipython

        for seed in range(400 if os.environ.get("GRANARY_TEST_LONG") else 40):
            value = any_value(random.Random(seed), 4)
            for width in (79, 40, 10):
                with self.subTest(seed=seed, width=width):
                    self.assertEqual(pretty(value, max_width=width), ipython(value, max_width=width))


def any_value(choose: random.Random, depth: int):
    if depth == 0 or choose.random() < 0.25:
        return choose.choice(ATOMS)
    items = [any_value(choose, depth - 1) for _ in range(choose.choice((0, 1, 2, 5, 12)))]
    pairs = {choose.choice(KEYS): item for item in items}
    kind = choose.choice(("list", "tuple", "dict", "set", "ordered", "default", "deque", "point", "error", "namespace"))
    if kind == "dict":
        return pairs
    if kind == "set":
        return set(pairs)
    if kind == "ordered":
        return collections.OrderedDict(pairs)
    if kind == "default":
        return collections.defaultdict(int, pairs)
    if kind == "namespace":
        return types.SimpleNamespace(first=items, second=pairs)
    return {"list": list, "tuple": tuple, "deque": collections.deque}.get(
        kind, lambda items: Point(*items) if kind == "point" else ValueError(*items)
    )(items)


KEYS = [1, 22, "key", "k" * 30, (1, 2), (3, "z" * 40), frozenset(range(12)), None]
ATOMS = [
    0, -5, 10**40, 3.5, float("nan"), "x" * 50, "it's\n", b"bytes", None, True, ..., int, Plain, Plain(), TwoLines(), function, len,
    re.compile("a\\d+", re.I), datetime.datetime(2020, 1, 1), datetime.timedelta(3), slice(1, 2), range(5), 2j, KeyError("k"),
    collections.Counter("abracadabra"), collections.UserList([1]), types.MappingProxyType({1: "y" * 70}), NotImplemented,
]
