"""The meaning of a cell's text, compared with the real IPython."""

from __future__ import annotations

import contextlib
import io
import unittest
from importlib.util import find_spec

from granary_runner.captured_lines import Lines
from granary_runner.cells.compiling import as_python

# Each line stands for a habit: both sides must do the same with it.
SAME = [
    "x = 1\ny = 2",
    "    x = 1\n    y = 2",
    "\n\n    x = 1\n\n    y = 2\n",
    "\tx = 1\n\tif x:\n\t\ty = 2",
    "    # comment\n    x = 1",
    "    s = '''\n    text\n    '''",
    ">>> x = 1",
    ">>> x = 1\n>>> y = 2",
    ">>> for i in range(3):\n...     x = i\n...\n>>> y = x",
    ">>> for i in range(3):\n...     x = i\n... ",
    "  >>> x = 1\n  >>> y = 2",
    ">>> x = 1\n1",
    ">>> def f():\n...     '''\n...     >>> f()\n...     '''\n>>> x = f.__doc__.strip()",
    "In [1]: x = 1",
    "In [1]: x = 1\nIn [2]: y = x",
    "In [1]: for i in range(3):\n   ...:     x = i\n   ...: \n",
    "In [10]: for i in range(3):\n    ...:     x = i",
    "In [1]: x = 1\n\nIn [2]: y = '''a\n   ...: b'''",
    "In [1]: %time 1\n",
    "   In [1]: x = 1",
    ">>> %time 1",
    ">>>     x = 1",
    "    >>>     x = 1\n    >>>     y = 2",
    "x = \\\nzip?",
    "(x,\ny) = zip??",
    "if True:\n    x = \\\n      zip?",
    ">>> !ls",
    "!ls -l",
    "  !ls -l",
    "    !ls\n    x = 1",
    "!!ls",
    "x = !ls",
    "x =!ls",
    "x, y = !ls",
    "if True:\n    !ls\n    x = !pwd",
    "!ls \\\n-l",
    "x = !ls \\\n-l",
    "%time 1 + 1",
    "%matplotlib inline\nx = 1",
    "x = %time 1",
    "x=%time 1",
    "for i in [1]:\n    %time i",
    "%%bash\nls\n",
    "%%bash -e\nls\n",
    "%%time\n\nx = 1\n",
    "\n%%bash\nls\n",
    "    %%bash\n    ls\n",
    "len?",
    "len??",
    "?len",
    "??len",
    "  len?",
    "items[0]?",
    "items[-1]??",
    "items[0].name?",
    "?items[0]",
    "dict.fr*?",
    "?dict.fr*",
    "*.fr*?",
    "%time?",
    "%%bash?",
    "%tim*?",
    "x = len?",
    "x = b + c?",
    "x = b + c.d[0]??",
    "for i in range(3):\n   ...:     x = i",
    "...: x = 1",
    "[ins] In [1]: x = 1",
    "def f():\n  for i in [1]:\n    x = i\n  x =! ls\nf()",
    "x = '''\n!ls\n%time\n'''",
    "x = (1\n%2)",
    "x = 'what?'",
    "x = 5 % 3",
    "x = [1,\n  2]\n!ls",
    "x = 'é日本'\n!ls",
    "x = 1\r\ny = 2\r\n!ls",
]

# Deliberately otherwise: text, and why. docs/differences.md has a row for each reason.
OTHERWISE = {
    "df['a b']?": "subscripts with text",
    "items[key]?": "subscripts with text",
    "len? # comment": "help with a comment",
    ">>> print('a b')\na b\n>>> x = 1": "outputs in pasted sessions",
    "In [1]: x = 1\nOut[1]: 1\n": "outputs in pasted sessions",
    "# comment\n    x = 1": "a comment at the margin",
    "    x = '''a\nb'''\n    y = 2": "a string at the margin",
    "x = '''\n>>> a\n'''": "prompts in strings",
    "/len [1]": "commas, semicolons and slashes",
    ",print a b": "commas, semicolons and slashes",
    ";print a b": "commas, semicolons and slashes",
    "# comment\n%%bash\nls": "a cell magic below a comment",
}


class Recorder:
    """Takes the calls that either side writes into a cell, under one set of names."""

    def __init__(self) -> None:
        self.calls: list = []

    def _note(self, *call: object):
        self.calls.append(tuple(" ".join(part.split()) if isinstance(part, str) else part for part in call))
        return ["a line", "another"]

    def line(self, name, args):
        return self._note("line", name, args)

    def cell(self, name, args, body, first_line=0):
        return self._note("cell", name, args, body)

    def system(self, command):
        return self._note("system", command)

    def capture(self, command):
        return self._note("capture", command)

    def help(self, subject, detail):
        return self._note("help", subject, "*" not in subject and detail)

    run_cell_magic = cell
    getoutput = capture

    def run_line_magic(self, name, args):
        if name in ("pinfo", "pinfo2", "psearch"):
            return self.help(args, name == "pinfo2")
        return self.line(name, args)


def effect(python: str) -> object:
    """Its calls and the variables that it leaves; or that it is no Python."""
    recorder = Recorder()
    names: dict = {"__granary__": recorder, "get_ipython": lambda: recorder}
    try:
        code = compile(python, "<cell>", "exec", dont_inherit=True)
    except SyntaxError:
        return "no Python"
    with contextlib.redirect_stdout(io.StringIO()):
        exec(code, names)
    return recorder.calls, {name: names.get(name) for name in ("x", "y", "s")}


def ours(cell: str) -> object:
    try:
        return effect(as_python(cell, "<cell>"))
    except SyntaxError:
        return "no Python"


@unittest.skipIf(find_spec("IPython") is None, "IPython is not installed")
class AgainstIPython(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        from IPython.core.inputtransformer2 import TransformerManager

        cls.theirs = staticmethod(lambda cell: effect(TransformerManager().transform_cell(cell)))

    def test_a_cell_does_what_it_does_in_ipython(self):
        for cell in SAME:
            with self.subTest(cell):
                theirs = self.theirs(cell)
                self.assertNotEqual(theirs, "no Python")
                self.assertEqual(ours(cell), theirs)

    def test_a_cell_that_means_something_else_is_one_of_the_known_differences(self):
        for cell in OTHERWISE:
            with self.subTest(cell):
                try:
                    theirs = self.theirs(cell)
                except Exception:
                    theirs = "no Python"
                self.assertNotEqual(ours(cell), theirs)

    def test_the_lines_of_a_command_answer_as_ipythons_do(self):
        from IPython.utils.text import SList

        text = ["drwx ann 10 a.txt", "-rw- Bob 9 b", "", "x", "-rw- ann 100 .", "é  日本\tz"]
        for ask in (
            lambda lines: (lines.l, lines.list, lines.n, lines.nlstr, lines.s, lines.spstr, lines.p, lines.paths),
            lambda lines: [lines.grep("ANN"), lines.grep("^-", prune=True), lines.grep(lambda line: "x" in line)],
            lambda lines: [lines.grep("a", field=1), lines.grep("a", prune=True, field=1), lines.grep("b", field=-1)],
            lambda lines: [lines.fields(), lines.fields(0), lines.fields(3, 0), lines.fields(-1), lines.fields(7)],
            lambda lines: [lines.grep("ann").fields(2).s, lines.sort(0)[0], lines.sort(2, nums=True)[-1]],
        ):
            self.assertEqual(ask(Lines(text)), ask(SList(text)))


if __name__ == "__main__":
    unittest.main()
