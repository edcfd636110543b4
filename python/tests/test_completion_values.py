"""Completion behind expressions, inside of brackets, calls and commands."""

from __future__ import annotations

import unittest

from granary_runner.completion import complete
from granary_runner.questions.attempts import answered_in_time
from granary_runner.questions.inspection import describe_at

from tests.standins import NotebookTest

DEFINITIONS = r'''
import functools, os

calls = []
zero = 0


class Thing:
    def __init__(self, size, colour="red"):
        self.size = size

    def method(self, by, *, times=1): ...

    def __call__(self, loudly=False): ...


def make() -> Thing:
    calls.append("make")


def make_later() -> "Thing":
    calls.append("make_later")


def unknown():
    calls.append("unknown")


class Slow:
    @property
    def rests(self):
        calls.append("rests")
        while True:
            pass


class Counted:
    @property
    def told(self) -> Thing:
        calls.append("told")

    @functools.cached_property
    def kept(self) -> Thing:
        calls.append("kept")


class Odd(list):
    def __getitem__(self, index):
        calls.append(index)
        return 1


class OwnDict(dict):
    def __getitem__(self, index):
        calls.append(index)
        return 1


class MissingDict(dict):
    def __missing__(self, index):
        calls.append(index)
        return 1


class Keyed:
    def _ipython_key_completions_(self):
        return ["alpha", "beta", 3]


class Leaving:
    def _ipython_key_completions_(self):
        raise SystemExit


def foo(a, bar, *args, baz="text", **others): ...


def by_place(first, /): ...


part = functools.partial(foo, 1)
thing, slow, counted, keyed, leaving = Thing(1), Slow(), Counted(), Keyed(), Leaving()
odd, own_dict, missing_dict = Odd([1]), OwnDict(k=1), MissingDict(k=1)
things = [thing, "text", {1}, {"held": 1}, 5]
pair = (thing, {"k": thing})
nested = {"a": {"inner": [1, 2]}}
keys = {
    "first": 1, "it's": 2, 'q"q': 3, "back\\slash": 4, "new\nline": 5, "größe": 6, "😀é": 7, b"bytes": 8, 57: 9, 5: 10,
    ("t1", "t2"): 11, ("t1", "t3"): 12, None: 13, thing: 14,
}
'''


class Values(NotebookTest):
    def setUp(self):
        super().setUp()
        exec(compile(DEFINITIONS, "<definitions>", "exec", dont_inherit=True), self.names)

    def matches(self, marked):
        """The code with each match inserted; `|` is the cursor."""
        cursor = marked.index("|")
        code = marked.replace("|", "", 1)
        found = answered_in_time(complete, self.names, code, cursor)
        self.assertEqual(len(found.get("details", [])), len(found["matches"]))
        return [code[: found["start"]] + match + code[found["end"] :] for match in found["matches"]]

    def expect(self, expected_by_code):
        for marked, expected in expected_by_code.items():
            with self.subTest(marked):
                self.assertEqual(self.matches(marked), expected)

    def test_attributes_of_literals_and_of_what_containers_hold(self):
        self.expect({
            "'text'.upp|": ["'text'.upper"],
            'f"{x}".upp|': ['f"{x}".upper'],
            "'a' 'b'.upp|": ["'a' 'b'.upper"],
            "b'x'.deco|": ["b'x'.decode"],
            "[1].appe|": ["[1].append"],
            "[n for n in y].appe|": ["[n for n in y].append"],
            "{}.ke|": ["{}.keys"],
            "(1, 2).cou|": ["(1, 2).count"],
            "1.5.is_i|": ["1.5.is_integer"],
            "things[0].meth|": ["things[0].method"],
            "things[-1].rea|": ["things[-1].real"],
            "things[1:].appe|": ["things[1:].append"],
            "things[zero].meth|": ["things[zero].method"],
            "(things[0]).meth|": ["(things[0]).method"],
            "nested['a']['inner'][0].rea|": ["nested['a']['inner'][0].real"],
            "nested['a'] [ 'inner' ] . appe|": ["nested['a'] [ 'inner' ] . append"],
            "pair[1]['k'].meth|": ["pair[1]['k'].method"],
            "(\n  things[0]\n  .meth|": ["(\n  things[0]\n  .method"],
            "not things[0].meth|": ["not things[0].method"],
            "things[9].rea|": [],
            "things['x'].rea|": [],
        })

    def test_expressions_in_f_strings(self):
        self.expect({
            "print(f'{thing.meth|": ["print(f'{thing.method"],
            "f'{thing.meth|}'": ["f'{thing.method}'"],
            "f'{{{thing.meth|": ["f'{{{thing.method"],
            "f'{n:>{thing.meth|": ["f'{n:>{thing.method"],
            "f'''{n}\n{thing.meth|": ["f'''{n}\n{thing.method"],
            "f'{n!r:>5} {thing.meth|": ["f'{n!r:>5} {thing.method"],
            "f'{a != thing.meth|": ["f'{a != thing.method"],
            "f'{keys[\"fir|": ["f'{keys[\"first"],
            "f'{keys['fir|": ["f'{keys['first"],
            "f'{n}'; thing.meth|": ["f'{n}'; thing.method"],
            "f'{n:5}'.upp|": ["f'{n:5}'.upper"],
            "f'{zero:zer|": [],
            "f'thing.meth|": [],
        })

    def test_what_comes_back_is_known_of_classes_and_annotated_functions_and_nothing_is_called(self):
        self.expect({
            "Thing(1).meth|": ["Thing(1).method"],
            "make().meth|": ["make().method"],
            "make_later().meth|": ["make_later().method"],
            "unknown().meth|": [],
            "counted.told.meth|": ["counted.told.method"],
            "counted.kept.meth|": ["counted.kept.method"],
        })
        self.assertEqual(self.names["calls"], [])

    def test_a_class_that_defines_how_it_is_indexed_is_not_indexed(self):
        self.expect({"odd[0].rea|": [], "own_dict['k'].rea|": [], "missing_dict['nope'].rea|": []})
        self.assertEqual(self.names["calls"], [])

    def test_a_property_that_was_too_slow_is_not_read_again(self):
        self.expect({"slow.rests.rea|": [], "(slow.rests).rea|": [], "slow.rest|": ["slow.rests"]})
        self.assertEqual(self.names["calls"], ["rests"])

    def test_keys_are_written_for_the_quotes_they_are_in(self):
        self.expect({
            'keys["fir|': ['keys["first'],
            "keys['fir|": ["keys['first"],
            "keys['fir|']": ["keys['first']"],
            "keys['it|": [r"keys['it\'s"],
            'keys["it|': ['keys["it\'s'],
            r"keys['it\'|": [r"keys['it\'s"],
            "keys['q|": ["keys['q\"q"],
            'keys["q|': [r'keys["q\"q'],
            "keys['back|": [r"keys['back\\slash"],
            "keys[r'back|": [],
            "keys['new|": [r"keys['new\nline"],
            "keys['grö|": ["keys['größe"],
            "'😀'; keys['😀|": ["'😀'; keys['😀é"],
            "keys[b'by|": ["keys[b'bytes"],
            r"keys[b'\x|": [],
            "keys[5|": ["keys[5", "keys[57"],
            "keys['t1', '|": ["keys['t1', 't2", "keys['t1', 't3"],
            "keys['t1', |": ["keys['t1', 't2'", "keys['t1', 't3'"],
            "keys['''fir|": ["keys['''first"],
            "keys[\n    'fir|": ["keys[\n    'first"],
            "print(keys['fir|": ["print(keys['first"],
            "nested['a']['|": ["nested['a']['inner"],
            "things[3]['|": ["things[3]['held"],
            "{'lit': 1, 'other': 2}['li|": ["{'lit': 1, 'other': 2}['lit"],
            "keyed['al|": ["keyed['alpha"],
            "leaving['al|": [],
            "own_dict['|": ["own_dict['k"],
        })
        self.assertEqual(self.names["calls"], [])

    def test_keys_of_which_no_quote_is_typed(self):
        found = self.matches("keys[|")
        for key in ("'first'", "5", "57", "b'bytes'", "('t1', 't2')", "None"):
            self.assertIn(f"keys[{key}", found)
        self.expect({"[|": [], "things[|": []})

    def test_a_dictionary_is_searched_to_its_end(self):
        self.names["large"] = {f"key{number}": number for number in range(20_000)}
        self.assertIn("large['key19999", self.matches("large['key1999|"))

    def test_arguments_that_can_be_given_by_name(self):
        self.expect({
            "foo(1, ba|": ["foo(1, bar=", "foo(1, baz="],
            "foo(1, |": ["foo(1, bar=", "foo(1, baz="],
            "foo(1, 2, ba|": ["foo(1, 2, baz="],
            "foo(bar=1, ba|": ["foo(bar=1, baz="],
            "foo(1, ba|=3)": ["foo(1, bar=3)", "foo(1, baz=3)"],
            "foo((1, 2), [3, 4], ba|": ["foo((1, 2), [3, 4], baz="],
            "foo(len([1, 2]), ba|": ["foo(len([1, 2]), bar=", "foo(len([1, 2]), baz="],
            "foo(1,\n    ba|": ["foo(1,\n    bar=", "foo(1,\n    baz="],
            "x = [foo(1, ba|": ["x = [foo(1, bar=", "x = [foo(1, baz="],
            "thing.method(1, tim|": ["thing.method(1, times="],
            "Thing(siz|": ["Thing(size="],
            "thing(lou|": ["thing(loudly="],
            "part(ba|": ["part(bar=", "part(baz="],
            "things[0].method(1, tim|": ["things[0].method(1, times="],
            "f'{thing.method(1, tim|": ["f'{thing.method(1, times="],
            "foo(bar=ba|": [],
            "foo(1 + ba|": [],
            "def foo(ba|": [],
            "by_place(fir|": [],
        })
        self.assertIn("sorted([1], reverse=", self.matches("sorted([1], rev|"))
        self.assertIn("print(1, sep=", self.matches("print(1, se|"))
        self.assertIn("max([1], key=", self.matches("max([1], ke|"))

    def test_files_in_commands_and_strings(self):
        self.write("data/table.csv", "")
        self.write("script.py", "")
        self.write("my file.txt", "")
        self.expect({
            "!cat da|": ["!cat data/"],
            "!cat data/ta|": ["!cat data/table.csv"],
            "!head -n 3 <da|": ["!head -n 3 <data/"],
            "x = !cat da|": ["x = !cat data/"],
            "%cat data/|": ["%cat data/table.csv"],
            "%ls da|": ["%ls data/"],
            "%cd |": ["%cd data/"],
            "%run |": ["%run data/", "%run script.py"],
            "%%writefile scr|": ["%%writefile script.py"],
            "%%bash\necho \"it's\"\ncat da|": ["%%bash\necho \"it's\"\ncat data/"],
            "!cat my|": [r"!cat my\ file.txt"],
            r"!cat my\ fi|": [r"!cat my\ file.txt"],
            "!cat 'my fi|": ["!cat 'my file.txt"],
            '!cat "my fi|': ['!cat "my file.txt'],
            "open('my fi|": ["open('my file.txt"],
            "open(rb'da|": ["open(rb'data/"],
            "open(f'da|": ["open(f'data/"],
        })

    def test_python_in_commands(self):
        self.expect({
            "!echo {zer|": ["!echo {zero"],
            "!echo {thing.meth|}": ["!echo {thing.method}"],
            "!echo $zer|": ["!echo $zero"],
            "%time thing.meth|": ["%time thing.method"],
            "%timeit -n 10 thing.meth|": ["%timeit -n 10 thing.method"],
            "%%time\nthing.meth|": ["%%time\nthing.method"],
            "%%html\nthing.meth|": [],
            "?thing.meth|": ["?thing.method"],
        })

    def test_commands_with_quotes_and_brackets_do_not_disturb_what_follows(self):
        self.expect({
            "!echo (\nthing.meth|": ["!echo (\nthing.method"],
            "!echo '''\nthing.meth|": ["!echo '''\nthing.method"],
            "x = !echo [\nthing.meth|": ["x = !echo [\nthing.method"],
            "x = 7 % thing.meth|": ["x = 7 % thing.method"],
            "x = (7\n  % thing.meth|": ["x = (7\n  % thing.method"],
            "x = 'no end\nthing.meth|": ["x = 'no end\nthing.method"],
        })

    def test_a_large_folder_is_searched_to_its_end(self):
        for number in range(700):
            self.write(f"many/{number}.txt", "")
        self.write("many/wanted.txt", "")
        self.expect({"open('many/want|": ["open('many/wanted.txt"]})

    def test_names_that_the_code_above_will_define(self):
        self.expect({
            "def total(amounts_of, rate_of=2):\n    return amou|": ["def total(amounts_of, rate_of=2):\n    return amounts_of"],
            "def total(x, *others_of): return other|": ["def total(x, *others_of): return others_of"],
            "local_name = 3\nlocal_|": ["local_name = 3\nlocal_name"],
            "for row_number, row in x:\n    row_n|": ["for row_number, row in x:\n    row_number"],
            "with x as opened_file:\n    opene|": ["with x as opened_file:\n    opened_file"],
            "class NewClass:\n    pass\nNewC|": ["class NewClass:\n    pass\nNewClass"],
            "(first_one, [second_one]) = x\nsecon|": ["(first_one, [second_one]) = x\nsecond_one"],
            "if (walrus := 3):\n  walr|": ["if (walrus := 3):\n  walrus"],
            "f(not_defined=3)\nnot_def|": [],
            "x[not_defined] = f(not_defined=3)\nnot_def|": [],
            "f(not_defined).x = 3\nnot_def|": [],
            "'''string_name = 3'''\nstring_n|": [],
        })

    def test_modules_that_the_code_above_will_import(self):
        self.expect({
            "import json\njson.loa|": ["import json\njson.load", "import json\njson.loads"],
            "import os.path as p\np.joi|": ["import os.path as p\np.join"],
            "from os import (\n  path,\n  sep)\npath.joi|": ["from os import (\n  path,\n  sep)\npath.join"],
            "import xml.dom\nxml.dom.minid|": ["import xml.dom\nxml.dom.minidom"],
            "import json\njson.nothing.loa|": [],
        })

    def test_a_value_that_lies_about_its_class_is_not_asked_for_it(self):
        asked = self.names["calls"]

        class Lying:
            __class__ = property(lambda self: asked.append("class") or dict)

            def __bool__(self):
                asked.append("bool")
                return False

        self.names.update(lying=Lying(), held=[Lying()], by_key={"k": Lying()})
        self.expect({
            "lyin|": ["lying"],
            "by_key['|": ["by_key['k"],
            "lying[0].rea|": [],
            "held.appe|": ["held.append"],
        })
        self.assertEqual(asked, [])

    def test_nothing_in_comments(self):
        self.expect({"# zer|": [], "x = 1  # zer|": []})

    def test_a_match_tells_its_kind_and_how_it_is_called(self):
        for code, match, kind, signature in (
            ("thing.me", "method", "function", "(by, *, times=1)"),
            ("fo", "foo", "function", "(a, bar, *args, baz='text', **others)"),
            ("sort", "sorted", "function", "(iterable, /, *, key=None, reverse=False)"),
            ("'a'.joi", "join", "function", "(iterable, /)"),
            ("thing.si", "size", "instance", None),
            ("slow.re", "rests", "property", None),
            ("Thi", "Thing", "class", None),
            ("o", "os", "module", None),
            ("whil", "while", "keyword", None),
            ("foo(b", "bar=", "param", None),
            ("keys['f", "first", "dict key", None),
            ("%cd", "%cd", "magic", None),
            ("import o", "os", "module", None),
        ):
            with self.subTest(code):
                found = complete(self.names, code, len(code))
                expected = {"kind": kind} if signature is None else {"kind": kind, "signature": signature}
                self.assertEqual(found["details"][found["matches"].index(match)], expected)

    def test_long_code_is_read_near_the_cursor(self):
        code = "x = (1, 'text')\n" * 50_000 + "'😀'; thing.meth"
        found = complete(self.names, code + "\n" * 10, len(code))
        self.assertEqual((found["matches"], found["start"], found["end"]), (["method"], len(code) - 4, len(code)))
        self.assertIn("times=1", describe_at(self.names, code + "od(1, ", len(code) + 6))
        on_one_line = "x = [" + "1, " * 100_000 + "thing.meth"
        self.assertEqual(complete(self.names, on_one_line, len(on_one_line))["matches"], ["method"])

    def test_unfinished_code_of_any_shape_is_answered(self):
        fields = ("f'{", "f'{x!", "f'{x!r", "f'{x:", "f'{{", "f'}", "f'{x:{y:{", "f'{[", "f'{(}", "f'\n{", "f'{x:'", "f'{(x:'")
        strings = ("'''", "x['", 'x["\\', "b'\\", "'\n", "\ud800.", "'\ud800", "foo(\ud800", "é.")
        brackets = ("x[", "x[[", "x[1,", "x[:,", "(" * 300, "[" * 300, "{'a': ", "f(" * 300, ")]}", "(]", "x[)].")
        deep = ("x" + "[0]" * 3000 + ".", "x." * 3000, "'a'" * 3000 + ".")
        commands = ("%", "%%", "!", "?", "!'", "x = !", "%run '", "!cat \\", "\\", "\\\n", "0x.", "1_0.", "%%bash\n'")
        for code in fields + strings + brackets + deep + commands:
            for cursor in (0, len(code) // 2, len(code)):
                with self.subTest(code[:20]):
                    self.assertEqual(answered_in_time(complete, self.names, code, cursor)["end"], cursor)


if __name__ == "__main__":
    unittest.main()
