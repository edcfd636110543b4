"""What IPython offers at the cursor is offered here, apart from the differences listed below."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest
from unittest.mock import patch

from granary_runner.completion import complete
from granary_runner.questions.attempts import answered_in_time

from tests.standins import NotebookTest

HAS_LIBRARIES = all(importlib.util.find_spec(name) for name in ("IPython", "pandas", "numpy"))

DEFINITIONS = r'''
import collections, dataclasses, functools, os
import numpy as np, pandas as pd

frame = pd.DataFrame({"price": [1.0], "prize money": [2], "größe": [3], 7: [4]})
class Frame(pd.DataFrame): pass
special = Frame(frame)
series = pd.Series([1, 2], index=["aa", "ab"])
records = np.array([(1, 2.0)], dtype=[("field_one", int), ("field_two", float)])
array = np.arange(3)
d = {"first": 1, "fig": 2, 'q"q': 4, 5: 6, 57: 1, b"bytes": 7, ("t1", "t2"): 8, ("t1", "t3"): 8, "größe": 9, "é😀": 10, "b\\s": 1}
nested = {"a": {"inner": {"deep": [1, 2]}, "in2": "text"}, "l": [{"x": 1}]}
class Keyed:
    def _ipython_key_completions_(self): return ["alpha", "beta"]
keyed = Keyed()
def foo(a, bar, *args, baz=1, **others): ...
class Thing:
    def __init__(self, size, colour="red"): self.size = size
    def method(self, by, *, times=1): return self
    def __call__(self, loudly=False): ...
thing = Thing(1)
part = functools.partial(foo, 1)
@dataclasses.dataclass
class Data:
    xx: int
    yy: str = ""
data_class = Data(1)
things = [thing, "text", 5]
pair = (thing, {"k": thing})
alpha, alphabet = 1, "x"
defaults = collections.defaultdict(list, key=[1])
counter = collections.Counter("aab")
point = collections.namedtuple("Point", "px py")(1, 2)
'''

CODE = r'''
frame["pr|
frame['pr|
frame["pr|"]
frame.pri|
special["pr|
special.pri|
frame.loc[:, "pr|
frame.loc[:, 'pr|
frame["price"].me|
frame.price.me|
frame.loc[:, "price"].me|
frame.iloc[0].me|
frame[frame["pr|
series.a|
d["f|
d['f|
d["fi|"]
d["|
d['|
d[5|
d[b"|
d[b'by|
d['q|
d["q|
d["gr|
d["é|
"é😀é"; d["é|
d["t1", "|
d["t1", "t|
nested["a"]["|
nested["a"]["inner"]["|
nested["a"]["in2"].up|
nested["l"][0]["|
nested["l"][0].it|
nested['a']['inner']['deep'].ap|
records["|
records["field_o|
records[0]["fi|
keyed["al|
defaults["k|
defaults["key"].ap|
counter["|
foo(1, b|
foo(bar=1, ba|
foo(|
thing.method(b|
thing.method(1, t|
Thing(s|
Thing(1, co|
thing(lo|
part(b|
Data(x|
Data(1, y|
print("x", s|
sorted([1], r|
sorted([1], key=len, r|
int("3", b|
pd.DataFrame(da|
pd.read_csv("x", se|
foo(thing.me|
foo(foo(1), ba|
open("da|
open('data/ta|
open(f"da|
open(r"da|
!cat da|
!cat data/ta|
%ls da|
%cd da|
%run sc|
%cat no|
x = !cat da|
things[0].me|
things[1].up|
things[-1].re|
pair[1]["k"].me|
f'{thing.me|
f"{frame.pri|
f"{d['fi|
f'{thing.me|}'
f"a {alpha} {alph|
"text".up|
[1].ap|
{}.ke|
{1}.ad|
(1, 2).co|
1.0.is|
b"x".de|
os.pa|
os.path.jo|
alp|
x = [alp|
alpha.re|
Thing.me|
Thing(1).me|
point.p|
data_class.x|
%time os.pa|
%timeit -n 1 os.pa|
import operat|
import os.pa|
from os import pa|
from os import path, getc|
from os.path import jo|
import os, colle|
for x in alp|
lambda: alp|
'😀'; alp|
x = 1; alp|
raise Val|
np.arr|
np.linalg.no|
array.me|
array[0].me|
d.ge|
alp| + 1
os.getc|wd
'''.split("\n")[1:-1]


# Without jedi, which guesses from types; the rest of IPython's completer looks at values, as Granary does.
ASK_IPYTHON = """
import json, sys
from IPython.core.completer import provisionalcompleter, rectify_completions
from IPython.core.interactiveshell import InteractiveShell

definitions, code = json.load(sys.stdin)
shell = InteractiveShell()
shell.Completer.use_jedi = False
exec(definitions, shell.user_ns)
answers = []
for marked in code:
    cursor, text = marked.index("|"), marked.replace("|", "", 1)
    with provisionalcompleter():
        found = rectify_completions(text, shell.Completer.completions(text, cursor))
        answers.append([(one.start, one.end, one.text) for one in found])
print(json.dumps(answers))
"""


def is_listed_difference(code: str, match: str) -> bool:
    """Magics in the middle of a line, all names where nothing has been typed, names where a file is meant."""
    if match.startswith("%") or code == "foo(" and not match.endswith("="):
        return True
    return code.startswith(("!", "%ls", "%cat", "%run", "x = !", "open(")) and (match.isidentifier() or match.endswith("="))


@unittest.skipUnless(HAS_LIBRARIES, "needs IPython, pandas and numpy")
class BesideIPython(NotebookTest):
    def test_what_ipython_offers_is_offered(self):
        self.write("data/table.csv", "")
        self.write("script.py", "")
        self.write("notes.txt", "")
        exec(compile(DEFINITIONS, "<definitions>", "exec", dont_inherit=True), self.names)
        for marked, expected in zip(CODE, self.of_ipython()):
            cursor = marked.index("|")
            code = marked.replace("|", "", 1)
            found = answered_in_time(complete, self.names, code, cursor)
            ours = {code[: found["start"]] + match + code[found["end"] :] for match in found["matches"]}
            wanted = {code[:start] + match + code[end:] for start, end, match in expected if not is_listed_difference(code, match)}
            with self.subTest(marked):
                self.assertTrue(ours)
                self.assertEqual(wanted - ours, set())

    def of_ipython(self):
        """In a process of its own, because a shell of IPython changes the process it is in."""
        with tempfile.TemporaryDirectory() as folder:
            answer = subprocess.run(
                [sys.executable, "-c", ASK_IPYTHON],
                input=json.dumps([DEFINITIONS, CODE]),
                env={**os.environ, "IPYTHONDIR": folder},
                stdout=subprocess.PIPE,
                encoding="utf-8",
                check=True,
            )
        return json.loads(answer.stdout.splitlines()[-1])

    def test_columns_are_found_whatever_the_module_of_pandas_classes_is_called(self):
        exec(compile(DEFINITIONS, "<definitions>", "exec", dont_inherit=True), self.names)
        pandas = self.names["pd"]
        for module in ("pandas", "pandas.core.frame"):
            with patch.object(pandas.DataFrame, "__module__", module):
                for code in ("frame['pri", "frame.loc[:, 'pri", "frame[['price', 'pri", "special['pri", "frame.set_index('price')['pri"):
                    with self.subTest(code, module=module):
                        found = answered_in_time(complete, self.names, code, len(code))["matches"]
                        self.assertEqual(found, [] if "set_index" in code else ["price", "prize money"])

    def test_labels_of_rows_and_series_are_offered(self):
        exec(compile(DEFINITIONS, "<definitions>", "exec", dont_inherit=True), self.names)
        self.names["indexed"] = self.names["frame"].set_axis(["row one"], axis=0)
        for code in ("indexed.loc['row", "indexed.at['row", "indexed.iloc[0:1].loc['row", "indexed['price']['row", "indexed.price.loc['row"):
            with self.subTest(code):
                self.assertEqual(answered_in_time(complete, self.names, code, len(code))["matches"], ["row one"])


if __name__ == "__main__":
    unittest.main()
