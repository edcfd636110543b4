"""Completion of `x.` where `x` gets its value in code above the cursor, which has not run."""

from __future__ import annotations

import random
import unittest

from granary_runner.completion import complete

from .standins import NotebookTest

CLASS = """
class Thing:
    kind: str
    def __init__(self, parts=None):
        self.parts = []
        self.name: str = parts
    @property
    def size(self): return 1.5
    def copy(self): return Thing()
    def told(self) -> dict: ...
    async def later(self): return []
"""
IS = {"list": "append", "str": "capitalize", "int": "bit_length", "float": "hex", "dict": "popitem", "bool": "bit_length", "set": "difference"}

# Code, and what the expression at its end may be.
CASES = [
    ("x = []\nx.", "list"),
    ("x = 1; x.", "int"),
    ("x = y = 'a'\ny.", "str"),
    ("x = f'{1}'\nx.", "str"),
    ("x, y = 1, 'a'\ny.", "str"),
    ("x = [i for i in 'abc']\nx.", "list"),
    ("x = {'a': [1]}\nx['a'].", "list"),
    ("x = {}\nx['k'] = 'v'\nx['k'].", "str"),
    ("x = 1 if True else 'a'\nx.", "int str"),
    ("x = None or {}\nx.", "dict"),
    ("x = 1.5 + 2\nx.", "float"),
    ("x: str\nx.", "str"),
    ("x: 'list[str]'\nx[0].", "str"),
    ("x: int | None = None\nx.", "int"),
    ("from typing import Optional, List\nx: Optional[List[str]] = None\nx[0].", "str"),
    ("if a:\n    x = []\nelse:\n    x = ''\nx.", "list str"),
    ("x = []\ntry:\n    x.", "list"),
    ("try:\n    x = []\nexcept OSError:\n    x = ''\nx.", "list str"),
    ("for i in range(3):\n    i.", "int"),
    ("for i, c in enumerate('abc'):\n    c.", "str"),
    ("for i, c in zip([1], [{}]):\n    c.", "dict"),
    ("for k, v in {'a': 1.5}.items():\n    v.", "float"),
    ("for v in sorted({'a': 1.5}.values()):\n    v.", "float"),
    ("while True:\n    x = set()\n    break\nx.", "set"),
    ("def f():\n    return []\nf().", "list"),
    ("def f(a, n: int = 0):\n    n.", "int"),
    ("f = lambda: ''\nf().", "str"),
    ("def f():\n    def g(): return 1\n    return []\nf().", "list"),
    ("async def f(): return []\n(await f()).", "list"),
    (CLASS + "t = Thing()\nt.parts.", "list"),
    (CLASS + "t = Thing()\nt.name.", "str"),
    (CLASS + "t = Thing()\nt.size.", "float"),
    (CLASS + "t = Thing()\nt.copy().kind.", "str"),
    (CLASS + "t = Thing()\nt.told().", "dict"),
    (CLASS + "class More(Thing): pass\nMore().parts.", "list"),
    (CLASS + "    def last(self):\n        self.parts.", "list"),
    ("class Mine(dict):\n    pass\nm = Mine()\nm.", "dict"),
    ("%matplotlib inline\nx = []\nx.", "list"),
    ("x = []\ny = (x.", "list"),
    ("rows = session_rows\nfor row in rows:\n    row.", "dict"),
]


class Guessed(NotebookTest):
    def offered(self, code: str) -> list:
        return complete(self.names, code, len(code))["matches"]

    def test_each_offers_the_attributes_of_what_it_may_be(self):
        self.names["session_rows"] = [{"a": 1}]
        for code, kinds in CASES:
            with self.subTest(code):
                offered = self.offered(code)
                for kind in kinds.split():
                    self.assertIn(IS[kind], offered)
                others = {name for other, name in IS.items() if other not in kinds.split()} - {IS[kind] for kind in kinds.split()}
                self.assertEqual(others & set(offered), set())
                self.assertEqual(len(offered), len(set(offered)))

    def test_attributes_of_a_class_that_is_written_above_are_offered_with_their_kinds(self):
        code = CLASS + "t = Thing()\nt."
        found = complete(self.names, code, len(code))
        kinds = {text: about["kind"] for text, about in zip(found["matches"], found["details"])}
        self.assertEqual(kinds, {"copy": "function", "kind": "instance", "later": "function", "name": "instance", "parts": "instance", "size": "property", "told": "function"})
        self.assertEqual(self.offered(CLASS + "Thing.k"), ["kind"])

    def test_code_above_goes_before_the_value_that_a_name_has_now(self):
        self.names["x"] = 1
        self.assertIn("append", self.offered("x = []\nx."))
        self.assertNotIn("bit_length", self.offered("x = []\nx."))

    def test_a_name_keeps_its_value_where_the_code_above_says_nothing_about_it(self):
        self.names["x"] = 1
        self.assertIn("bit_length", self.offered("x = unknown(x)\nx."))
        self.assertIn("bit_length", self.offered("y = []\nx."))
        self.assertEqual(self.offered("y = unknown()\ny."), [])

    def test_nothing_of_the_code_runs(self):
        self.names["calls"] = calls = []
        self.names["note"] = lambda *values: calls.append(values)
        self.offered("x = note(1)\ny = [note(2)]\nclass A:\n    z = note(3)\ndef f(): return note(4)\nf().")
        self.assertEqual(calls, [])

    def test_code_that_refers_to_itself_ends(self):
        for code in (
            "def f(): return f()\nf().",
            "def f(): return g()\ndef g(): return f()\nf().",
            "x = x\nx.",
            "x = [x]\nx[0][0].",
            "class A(A): pass\nA().b.",
            "class A(B): pass\nclass B(A): pass\nA().",
            "class A:\n    @property\n    def p(self): return self.p\nA().p.",
            "x = " + "(" * 80 + "1" + ")" * 80 + "\nx.",
            "x = " + "f(" * 80 + ")" * 80 + ".y\nx.",
        ):
            with self.subTest(code[:40]):
                self.offered(code)

    def test_no_text_makes_completion_fail(self):
        chance = random.Random(11)
        parts = [line for code, _ in CASES for line in code.split("\n")] + ["", "    ", "return x", "else:", "x[", "'", "yield x", "lambda:"]
        for _ in range(300):
            lines = [chance.choice(parts) for _ in range(chance.randint(1, 6))]
            code = "\n".join(lines) + chance.choice(["", ".", "\nx.", "\n    self.", "\nf()."])
            with self.subTest(code):
                self.assertIsInstance(self.offered(code[: chance.randint(0, len(code))] if chance.random() < 0.3 else code), list)


class Others(NotebookTest):
    def offered(self, code: str) -> list:
        return complete(self.names, code, len(code))["matches"]

    def test_magics_that_are_registered_are_offered(self):
        from unittest.mock import patch

        from granary_runner.magics import registered

        with patch.dict(registered.LINE, {"mine_line": len}), patch.dict(registered.CELL, {"mine_cell": len}):
            self.assertEqual(self.offered("%mine"), ["%%mine_cell", "%mine_line"])

    def test_magics_that_take_a_module_offer_modules(self):
        self.assertIn("textwrap", self.offered("%aimport textw"))
        self.assertIn("textwrap", self.offered("%load_ext textw"))

    def test_keys_of_a_class_that_tells_them(self):
        self.run_cell("class Named:\n    @classmethod\n    def _ipython_key_completions_(cls): return ['one', 'other']")
        self.assertEqual(self.offered("Named['o"), ["one", "other"])


if __name__ == "__main__":
    unittest.main()
