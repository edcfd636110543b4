"""Methods of `get_ipython()` that libraries and notebooks call, with and without IPython."""

from __future__ import annotations

import unittest
from importlib.util import find_spec

from .recorded_cell import RecordedCell

HAS_IPYTHON = find_spec("IPython") is not None


class WithAndWithoutIPython(unittest.TestCase):
    def printed(self, source: str) -> str:
        """The output of a cell, which must be the same in both cases."""
        texts = {RecordedCell(source, site_packages=False).stdout}
        if HAS_IPYTHON:
            texts.add(RecordedCell(source, having=("IPython",)).stdout)
        self.assertEqual(len(texts), 1, texts)
        return texts.pop()

    def test_every_way_to_ask_finds_the_same_shell(self):
        self.assertEqual(self.printed("""
import IPython
from IPython import get_ipython as one
from IPython.core.getipython import get_ipython as two
print(one() is two() is IPython.get_ipython() is not None)
"""), "True\n")

    def test_the_decorators_make_functions_and_methods_magics(self):
        self.assertEqual(self.printed("""
from IPython import get_ipython
import granary_runner.magics as magics
from IPython.core.magic import (Magics, magics_class, line_magic, cell_magic, line_cell_magic, register_line_magic,
                                register_cell_magic, register_line_cell_magic, needs_local_scope, no_var_expand)
@register_line_magic
def up(line): return line.upper()
@register_cell_magic
def count(line, cell): return line, len(cell)
@register_line_cell_magic
def both(line, cell=None): return line, cell
@magics_class
class Mine(Magics):
    @line_magic
    def half(self, line): return int(line) / 2
    @cell_magic("named")
    def other(self, line, cell): return self.shell is get_ipython(), cell
    @line_cell_magic
    @needs_local_scope
    def seen(self, line, cell=None, local_ns=None): return "x" in local_ns
    @no_var_expand
    @line_magic
    def raw(self, line):
        options, rest = self.parse_options(line, "n:v", "long=")
        return options.n, "v" in options, options.long, rest
get_ipython().register_magics(Mine)
x = 3
print(magics.line("up", "a {x}"), magics.cell("count", "l", "body", 2), magics.line("both", "1"), magics.cell("both", "1", "b", 2))
print(magics.line("half", "3"), magics.cell("named", "", "c", 2), magics.line("seen", ""), magics.line("raw", "-n 2 -v --long=q 'r {x}'"))
print(get_ipython().find_line_magic("up")("b"), get_ipython().find_line_magic("nonesuch"))
"""), """A 3 ('l', 4) ('1', None) ('1', 'b')
1.5 (True, 'c') True ('2', True, 'q', 'r {x}')
B None
""")

    def test_magics_can_have_arguments_of_argparse(self):
        self.assertEqual(self.printed("""
import granary_runner.magics as magics
from IPython import get_ipython
from IPython.core.error import UsageError
from IPython.core.magic import register_line_magic
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring
@magic_arguments()
@argument("-n", type=int, default=1, help="how many")
@argument("names", nargs="*")
def shout(line):
    args = parse_argstring(shout, line)
    return args.names * args.n
register_line_magic(shout)
print(magics.line("shout", "-n 2 a 'b c'"))
try:
    magics.line("shout", "--no")
except UsageError as problem:
    print("refused")
"""), """['a', "'b c'", 'a', "'b c'"]\nrefused\n""")

    def test_capture_output_catches_prints_and_displays(self):
        self.assertEqual(self.printed("""
import sys
from IPython.utils.capture import capture_output
from IPython.display import HTML, display
with capture_output() as caught:
    print("out"); print("err", file=sys.stderr); display(HTML("<b>"), 3)
print(repr(caught.stdout), repr(caught.stderr), [output.data.get("text/html") for output in caught.outputs])
with capture_output(display=False, stderr=False) as caught:
    print("out")
print(str(caught), caught.outputs)
"""), "'out\\n' 'err\\n' ['<b>', None]\nout\n []\n")

    def test_registered_formatters_decide_how_values_look(self):
        self.assertEqual(self.printed("""
from IPython import get_ipython
from granary_runner.formats import bundle
from fractions import Fraction
class Own:
    def __repr__(self): return "own"
    def _repr_html_(self): return "<own>"
class Below(Own): pass
formatters = get_ipython().display_formatter.formatters
html, text = formatters["text/html"], formatters["text/plain"]
print(html.for_type(Own, lambda own: "<registered>"), bundle(Below())[0])
print(html.for_type("fractions.Fraction", lambda value: ("<f>", {"a": 1})), bundle(Fraction(1, 2)))
print(html.lookup(Below()) is html.lookup_by_type(Own), html.pop(Own) is not None, bundle(Below())[0]["text/html"])
failures = []
html.for_type(set, lambda value: {}["missing"])
print(bundle({1}, failures=failures)[0], failures)
text.for_type(int, lambda value, p, cycle: p.text("#%d" % value))
print(bundle([1, 2])[0], get_ipython().display_formatter.format(3)[0])
text.pop(int); text.max_width = 10
print(bundle([1111, 2222, 3333])[0])
text.pprint = False
print(bundle([1111, 2222, 3333])[0])
"""), """None {'text/html': '<registered>', 'text/plain': 'own'}
None ({'text/html': '<f>', 'text/plain': 'Fraction(1, 2)'}, {'text/html': {'a': 1}})
True True <own>
{'text/plain': '{1}'} [KeyError('missing')]
{'text/plain': '[#1, #2]'} {'text/plain': '#3'}
{'text/plain': '[1111,\\n 2222,\\n 3333]'}
{'text/plain': '[1111, 2222, 3333]'}
""")

    def test_the_shell_is_taken_for_no_kernel_that_could_draw_widgets(self):
        self.assertEqual(self.printed("""
from IPython import get_ipython
shell = get_ipython()
print("IPKernelApp" in shell.config, type(shell).__name__)
"""), "False GranaryShell\n")

    def test_libraries_that_ask_for_a_kernel_by_its_trait_find_one(self):
        self.assertEqual(self.printed("""
from IPython import get_ipython
print([get_ipython().has_trait(name) for name in ("kernel", "user_ns", "no_such_thing")])
"""), "[True, True, False]\n")


if __name__ == "__main__":
    unittest.main()
