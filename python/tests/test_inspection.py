"""The answer to `obj?`."""

from __future__ import annotations

import unittest

from granary_runner.questions.attempts import answered_in_time
from granary_runner.questions.inspection import describe, describe_at


class Broken:
    def __getattr__(self, name):
        raise RuntimeError("no")

    def __repr__(self):
        raise RuntimeError("no")

    __len__ = __repr__


class Thing:
    """A thing."""

    computed = 0

    def __init__(self, size: int = 3):
        """Make a thing of a size.

        Any size will do.
        """
        self.size = size

    def __call__(self, loudly=False):
        """Let it speak."""

    @property
    def area(self):
        """Its area."""
        Thing.computed += 1
        return self.size

    def grow(self, by):
        """Make it bigger."""


def greet(name, punctuation="!"):
    """Say hello.

    At length.
    """
    return name + punctuation


class Describing(unittest.TestCase):
    NAMES = {"greet": greet, "Thing": Thing, "thing": Thing(), "broken": Broken(), "n": 5, "text": "x" * 1000,
             "items": [1, 2, 3], "table": {"thing": Thing()}}

    def text(self, expression, detail=0):
        return describe(self.NAMES, expression, detail)

    def test_a_function_has_signature_documentation_and_file(self):
        text = self.text("greet")
        self.assertIn("Signature:   greet(name, punctuation='!')", text)
        self.assertIn("Docstring:\nSay hello.\n\nAt length.", text)
        self.assertIn("test_inspection.py", text)

    def test_its_source_on_request(self):
        self.assertIn("    return name + punctuation", self.text("greet", 1))
        self.assertNotIn("return name", self.text("greet"))

    def test_classes_methods_and_instances(self):
        self.assertIn("Init signature: Thing(size", self.text("Thing"))
        self.assertIn("size: int = 3", self.text("Thing").replace("'int'", "int"))
        self.assertIn("grow(by)", self.text("thing.grow"))
        self.assertIn("A thing.", self.text("thing"))
        self.assertIn("class Thing:", self.text("thing", 1))

    def test_a_property_is_described_without_computing_it(self):
        self.assertIn("Its area.", self.text("thing.area"))
        self.assertIn("return self.size", self.text("thing.area", 1))
        self.assertEqual(Thing.computed, 0)

    def test_simple_values_show_themselves(self):
        self.assertEqual(self.text("n"), "Type:        int\nValue:       5")
        self.assertIn("Length:      3", self.text("items"))
        self.assertLess(len(self.text("text")), 400)

    def test_builtins_and_modules(self):
        self.assertIn("len(obj, /)", self.text("len"))
        import os

        self.assertIn("os.py", describe({"os": os}, "os", 0))

    def test_objects_that_raise_at_every_touch(self):
        self.assertIn("Type:", self.text("broken"))
        self.assertIn("Type:", self.text("broken", 1))
        self.assertIsNone(self.text("broken.attribute"))

    def test_constructors_and_calls_are_documented_and_a_space_follows_each_label(self):
        self.assertIn("Docstring:      A thing.\nInit docstring:\nMake a thing of a size.\n\nAny size will do.\n", self.text("Thing"))
        self.assertNotIn("Call docstring", self.text("Thing"))
        text = self.text("thing")
        self.assertIn("Signature:      thing(loudly=False)", text)
        self.assertIn("Docstring:      A thing.\nInit docstring:\nMake a thing of a size.", text)
        self.assertIn("Call docstring: Let it speak.", text)

    def test_pythons_own_constructors_are_not_documented_twice(self):
        class Plain:
            """Plain."""

        names = {"Plain": Plain, "plain": Plain(), "error": ValueError("x")}
        for name in names:
            self.assertNotIn("Init docstring", describe(names, name, 0))
            self.assertNotIn("Call docstring", describe(names, name, 0))

    def test_what_containers_hold_is_described(self):
        self.assertEqual(self.text("items[0]"), "Type:        int\nValue:       1")
        self.assertIn("Make it bigger.", self.text("table['thing'].grow"))
        self.assertIsNone(self.text("items[9]"))

    def test_inside_of_a_call_the_function_is_described(self):
        for marked in ("greet(|", "greet(1, |", "greet(1, n|", "greet([1, n|", "greet('text|", "greet(1,\n  |", "greet(unknown(1, |",
                       "greet|(1)", "gre|et", "greet(len(n), |", "greet(1)|", "x = [greet(|", "print(greet|(1))", "f'{greet(|",
                       "%time greet(1, |"):
            text = describe_at(self.NAMES, marked.replace("|", ""), marked.index("|"))
            self.assertIn("Signature:   greet(name", text or "", marked)

    def test_elsewhere_the_name_under_the_cursor_is_described(self):
        for marked in ("n|", "|n", "x = n| + 1", "'😀'; n|", "greet(1); n|", "unknown(n|", "[n|"):
            text = describe_at(self.NAMES, marked.replace("|", ""), marked.index("|"))
            self.assertEqual(text, "Type:        int\nValue:       5", marked)
        for marked in ("# n|", "'n|", "|", "f'n|", "n |", "n. |", ")|", "(|", "x.y|"):
            self.assertIsNone(describe_at(self.NAMES, marked.replace("|", ""), marked.index("|")), marked)
        self.assertIn("Time the cell", describe_at({}, "%%timeit -n 3", 4))

    def test_nothing_is_called_and_no_operator_runs(self):
        for expression in ("greet('x')", "items[n + 1]", "items[greet('x')]", "items[0]()", "n + 1", "missing", "thing.missing", "1", "a b", "%nope", ""):
            self.assertIsNone(self.text(expression), expression)

    def test_what_a_module_loads_when_it_is_read_is_loaded_for_a_cell_and_not_for_a_question(self):
        module = type(unittest)("lazy")
        module.__getattr__ = lambda name: greet
        names = {"lazy": module}
        self.assertIn("Say hello.", describe(names, "lazy.later", 0))
        self.assertIsNone(answered_in_time(describe, names, "lazy.later", 0))

    def test_what_looks_at_a_value_for_a_cell_can_be_interrupted(self):
        class Stopped:
            def __getattr__(self, name):
                raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            describe({"stopped": Stopped()}, "stopped.attribute", 0)

    def test_magics(self):
        self.assertIn("Time the cell over many runs", self.text("%%timeit"))


if __name__ == "__main__":
    unittest.main()
