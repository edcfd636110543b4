"""`get_ipython().run_cell()` and what else programs ask of the shell, with IPython installed and without."""

from __future__ import annotations

import sys
import unittest

from .test_ipython_shell import WithAndWithoutIPython as Both

PREPARED = """
import granary_runner.cells.execute as execute, granary_runner.magics as magics, builtins
builtins.__granary__ = magics
user = {"__name__": "__main__", "__builtins__": builtins}
execute.start(user)
execute.show_value = lambda value: value is None or (print("shown", value), execute._keep(value, execute.count()))
from IPython import get_ipython
ip = get_ipython()
"""


class RunCell(unittest.TestCase):
    printed = Both.printed

    def check(self, source: str, expected: str) -> None:
        self.assertEqual(self.printed(PREPARED + source), expected)

    def test_a_result_says_what_happened(self):
        self.check("""
for source in ("a = 5\\na", "a;", "1 +", "1 / 0", "  "):
    result = ip.run_cell(source, silent=False)
    print(result.success, result.result, type(result.error_before_exec).__name__, type(result.error_in_exec).__name__,
          ip.last_execution_succeeded, ip.last_execution_result is result)
""", """shown 5
True 5 NoneType NoneType True True
True None NoneType NoneType True True
False None SyntaxError NoneType False True
False None NoneType ZeroDivisionError False True
True None NoneType NoneType True True
""")

    def test_a_syntax_error_that_the_code_raises_is_no_error_of_the_cell_itself(self):
        self.check("""
result = ip.run_cell("compile('1 +', 'x', 'eval')")
print(type(result.error_before_exec).__name__, type(result.error_in_exec).__name__)
""", "NoneType SyntaxError\n")

    def test_a_traceback_has_the_lines_of_its_own_cell(self):
        self.check("""
import io, contextlib
execute.main_module.remember(execute.current_file(), "the outer cell")
texts = []
for source in ("1 / 0", "x = 1\\ny = x / 0", "1 / 0"):
    with contextlib.redirect_stderr(io.StringIO()) as told: ip.run_cell(source)
    texts.append(told.getvalue())
print("1 / 0" in texts[0], "outer" in texts[0], "y = x / 0" in texts[1], texts[0] == texts[2])
""", "True False True True\n")

    def test_only_cells_that_are_stored_are_counted(self):
        self.check("""
before = ip.execution_count
ip.run_cell("1"); ip.run_cell("2", store_history=True, silent=True)
print(ip.execution_count - before)
result = ip.run_cell("3", store_history=True)
print(ip.execution_count - before, execute.inputs[-1], execute.outputs[result.execution_count], user["_"])
print(ip.run_cell("").execution_count, ip.execution_count - before)
""", "shown 1\n0\nshown 3\n1 3 3 3\nNone 1\n")

    def test_events_surround_the_cell_and_a_silent_one_has_fewer(self):
        self.check("""
for name in ("pre_execute", "pre_run_cell", "post_execute", "post_run_cell"):
    ip.events.register(name, lambda *info, name=name: print(name, *(one.cell_meta if hasattr(one, "cell_meta") else one.info.cell_meta for one in info)))
ip.run_cell("x = 1", cell_meta={"a": 1})
ip.run_cell("1 +", silent=True)
""", "pre_execute\npre_run_cell {'a': 1}\npost_execute\npost_run_cell {'a': 1}\npre_execute\npost_execute\n")

    def test_a_cell_can_be_awaited(self):
        self.check("""
import asyncio
async def main():
    result = await ip.run_cell_async("import asyncio\\nawait asyncio.sleep(0)\\n5")
    print(result.result, (await ip.run_cell_async("await 1")).error_in_exec is not None)
asyncio.run(main())
print(ip.should_run_async("await x"), ip.should_run_async("x"), ip.should_run_async("x +"))
""", "shown 5\n5 True\nTrue False False\n")

    def test_a_transformer_of_the_tree_that_fails_is_removed_and_one_that_rejects_stops_the_cell(self):
        self.check("""
import ast, warnings
from IPython.core.error import InputRejected
class Failing:
    def visit(self, tree): raise ValueError("broken")
class Rejecting:
    def visit(self, tree): raise InputRejected("no")
ip.ast_transformers.append(Failing())
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    ip.run_cell("1 + 2")
print("unregistered" in str(caught[0].message), ip.ast_transformers)
ip.ast_transformers.append(Rejecting())
for _ in range(2):
    print(type(ip.run_cell("print('unsafe')").error_before_exec).__name__)
""", "shown 3\nTrue []\nInputRejected\nInputRejected\n")

    @unittest.skipIf(sys.version_info < (3, 9), "Python 3.8 cannot write a tree as code")
    def test_timeit_runs_the_transformed_code(self):
        self.check("""
import ast
class Negating(ast.NodeTransformer):
    def visit_Constant(self, node): return ast.Constant(-node.value) if type(node.value) is int else node
user["calls"] = []
ip.ast_transformers.append(Negating())
ip.run_line_magic("timeit", "-q -n1 -r1 calls.append(3)")
print(user["calls"])
""", "[-3]\n")

    def test_magics_that_a_library_calls_use_the_users_names(self):
        self.check("""
user["seen"] = [1, 2]
def in_a_library():
    local = "file name"
    ip.run_line_magic("timeit", "-q -n1 -r1 len(seen)")
    ip.run_cell_magic("capture", "kept", "print(seen)")
    print(ip.getoutput("echo {local}")[0])
in_a_library()
print(user["kept"].stdout, end="")
""", "file name\n[1, 2]\n")

    def test_a_usage_error_of_a_magic_is_ipythons(self):
        self.check("""
from IPython.core.error import UsageError
try: ip.run_line_magic("nonesuch", "")
except UsageError as error: print(error)
print(type(ip.run_cell("%nonesuch").error_in_exec) is UsageError)
try: ip.run_line_magic("load_ext", "nonesuch")
except ModuleNotFoundError as error: print(isinstance(error, UsageError))
""", "%nonesuch does not exist. %lsmagic lists all.\nTrue\nTrue\n")

    def test_expressions_are_answered_as_bundles_or_errors(self):
        self.check("""
class Rich:
    def __repr__(self): return "plain"
    def _repr_html_(self): return "<b>rich</b>"
user["rich"] = Rich()
answers = ip.user_expressions({"a": "rich", "b": "1/0"})
print(answers["a"])
print(answers["b"]["status"], answers["b"]["ename"])
""", "{'status': 'ok', 'data': {'text/html': '<b>rich</b>', 'text/plain': 'plain'}, 'metadata': {}}\nerror ZeroDivisionError\n")

    def test_names_are_found_without_computing_properties(self):
        self.check("""
class A:
    @property
    def slow(self): raise RuntimeError
    plain = 5
user["a"] = A()
print(ip._ofind("a.slow").obj is A.slow, ip._ofind("a.plain").obj, ip._ofind("a.none").found, ip._ofind("len").obj is len, ip._ofind("nonesuch").found)
print(ip._ofind("timeit").ismagic, ip.object_inspect("%%capture")["ismagic"], "Type:" in ip.object_inspect_text("a"))
""", "True 5 False True False\nTrue True True\n")

    def test_files_run_and_temporary_ones_can_be_had(self):
        self.check("""
path = ip.mktempfile("x = 1\\n")
names = {}
ip.safe_execfile(path, names)
print(names["x"])
open(path, "w").write("1 / 0")
try: ip.safe_execfile(path, {}, raise_exceptions=True)
except ZeroDivisionError: print("raised")
ip.safe_execfile(path, {})
print(ip.new_main_mod("m.py", "m").__name__)
try: raise KeyError("k")
except KeyError: print(ip.get_exception_only(), end="")
""", "1\nraised\nm\nKeyError: 'k'\n")

    def test_a_future_import_may_follow_a_magic(self):
        self.check("""
result = ip.run_cell("%pprint\\nfrom __future__ import annotations\\ndef f(x: nonesuch): pass\\nf.__annotations__")
print(result.result)
""", "Pretty printing has been turned OFF\nshown {'x': 'nonesuch'}\n{'x': 'nonesuch'}\n")

    def test_future_imports_hold_until_they_are_reset(self):
        self.check("""
ip.run_cell("from __future__ import barry_as_FLUFL")
print(ip.run_cell("x = 1 <> 2").success)
ip.compile.reset_compiler_flags()
print(ip.run_cell("x = 1 <> 2").success)
""", "True\nFalse\n")

    def test_an_exception_can_be_had_as_text(self):
        self.check("""
try: 1 / 0
except ZeroDivisionError as error: text = ip.InteractiveTB.text(type(error), error, error.__traceback__)
print(text.splitlines()[0], text.splitlines()[-1], ip.InteractiveTB.mode, ip.history_manager.hist_file)
ip.InteractiveTB.set_mode("minimal")
print(ip.InteractiveTB.mode)
try: ip.InteractiveTB.set_mode("nonesuch")
except ValueError: print("refused")
""", "Traceback (most recent call last): ZeroDivisionError: division by zero Context :memory:\nMinimal\nrefused\n")

    def test_a_handler_of_the_users_gets_exceptions_of_cells(self):
        self.check("""
seen = []
def handler(shell, etype, value, tb, tb_offset=None):
    seen.append(etype.__name__)
    shell.showtraceback((etype, value, tb))
ip.set_custom_exc((ValueError, SyntaxError), handler)
for source in ("raise ValueError(1)", "1 +", "raise KeyError(1)"): ip.run_cell(source)
for problem in (ValueError(2), KeyError(2), None): execute.after_cell[-1](problem)
print(seen, ip.custom_exceptions)
ip.set_custom_exc((), None)
print(ip.run_cell("raise ValueError(3)").success, seen)
""", "['ValueError', 'SyntaxError', 'ValueError'] (<class 'ValueError'>, <class 'SyntaxError'>)\nFalse ['ValueError', 'SyntaxError', 'ValueError']\n")

    def test_a_handler_that_fails_is_not_called_again(self):
        self.check("""
for handler in (lambda: 1, lambda shell, etype, value, tb, tb_offset=None: 1):
    ip.set_custom_exc((OSError,), handler)
    print(ip.run_cell("raise OSError").success, ip.custom_exceptions)
try: ip.set_custom_exc(OSError, handler)
except TypeError: print("refused")
""", "False ()\nFalse ()\nrefused\n")

    def test_names_that_are_pushed_as_hidden_are_not_listed(self):
        self.check("""
ip.push({"seen": 1}); ip.push({"kept": 2}, interactive=False)
print(ip.run_line_magic("who_ls", ""), sorted(ip.user_ns_hidden)[-1])
ip.drop_by_id({"kept": 2})
print("kept" in user, "kept" in ip.user_ns_hidden)
""", "['seen'] kept\nFalse False\n")

    def test_a_console_can_ask_whether_code_is_finished(self):
        self.check("""
for code in ("a = 1", "for a in b:", "for a in b:\\n    c", "for a in b:\\n    c\\n", "raise = 2", "a = [1,\\n2,", "x = '''", "!ls",
             "await x", "async with a:\\n    b\\n", ")", "0b12", "%%time\\nx", "%%time\\nx\\n\\n"):
    found = ip.kernel.do_is_complete(code)
    print(found["status"], len(found.get("indent", "")), ip.input_transformer_manager.check_complete(code)[0] == found["status"])
""", "".join(line + " True\\n" for line in (
            "complete 0", "incomplete 4", "incomplete 4", "complete 0", "invalid 0", "incomplete 0", "incomplete 0", "complete 0",
            "complete 0", "complete 0", "invalid 0", "invalid 0", "incomplete 0", "complete 0")).replace("\\n", chr(10)))

    def test_history_is_answered_as_a_kernel_does(self):
        self.check("""
ip.run_cell("a = 1", store_history=True); ip.run_cell("a", store_history=True)
print(ip.kernel.do_history("tail", False, True, n=1)["history"][0][2])
print([source for _, _, source in ip.kernel.do_history("range", False, True, start=1, stop=3)["history"]])
print(ip.kernel.do_history("search", True, True, pattern="a*", n=1)["history"][0][2])
""", "shown 1\na\n['a = 1', 'a']\n('a', 1)\n")

    def test_a_text_for_the_next_cell_is_printed_once(self):
        self.check("""
for _ in range(3): ip.set_next_input("x = 1")
ip.set_next_input("y = 2")
print(ip.get_parent())
""", "# for the next cell:\nx = 1\n# for the next cell:\ny = 2\n{}\n")

    def test_a_magic_can_be_loaded_when_it_is_first_used(self):
        self.check("""
import sys, types
module = types.ModuleType("lazy_ext")
def load_ipython_extension(shell):
    print("loading")
    shell.register_magic_function(lambda line: line.upper(), "line", "shout")
module.load_ipython_extension = load_ipython_extension
sys.modules["lazy_ext"] = module
ip.magics_manager.register_lazy("shout", "lazy_ext")
print(ip.run_line_magic("shout", "a"), ip.run_line_magic("shout", "b"))
""", "loading\nA B\n")


if __name__ == "__main__":
    unittest.main()
