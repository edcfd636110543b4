"""Magics are found where they are magics, and nowhere else."""

from __future__ import annotations

import ast
import os
import random
import sysconfig
import unittest

from granary_runner.cells.transform import rewrite


class LineForms(unittest.TestCase):
    def rewritten(self, source: str, expected: str) -> None:
        self.assertEqual(rewrite(source), expected)
        compile(expected, "<cell>", "exec")

    def test_a_command(self):
        self.rewritten("!ls -l {folder}", "__granary__.system('ls -l {folder}')")

    def test_a_command_whose_lines_are_the_value(self):
        self.rewritten("x = !ls", "x = __granary__.capture('ls')")
        self.rewritten("!!ls", "__granary__.capture('ls')")
        self.rewritten("x = y = !ls", "x = y = __granary__.capture('ls')")
        self.rewritten("x: list = !ls", "x: list = __granary__.capture('ls')")
        self.rewritten("x += !ls", "x += __granary__.capture('ls')")
        self.rewritten("self.files[0] = !ls", "self.files[0] = __granary__.capture('ls')")
        self.rewritten("d['a = !b'] = !ls", "d['a = !b'] = __granary__.capture('ls')")

    def test_a_line_magic(self):
        self.rewritten("%cd ~/data", "__granary__.line('cd', '~/data')")
        self.rewritten("%pwd", "__granary__.line('pwd', '')")
        self.rewritten("%timeit  x = 'a'  ", "__granary__.line('timeit', \"x = 'a'\")")

    def test_a_line_magic_with_a_value(self):
        self.rewritten("x = %pwd", "x = __granary__.line('pwd', '')")
        self.rewritten("a, b = %time f(1)", "a, b = __granary__.line('time', 'f(1)')")

    def test_help(self):
        self.rewritten("len?", "__granary__.help('len', 0)")
        self.rewritten("os.path??", "__granary__.help('os.path', 1)")
        self.rewritten("?len", "__granary__.help('len', 0)")
        self.rewritten("?? os.path", "__granary__.help('os.path', 1)")
        self.rewritten("%time?", "__granary__.help('%time', 0)")
        self.rewritten("%%time?", "__granary__.help('%%time', 0)")
        self.rewritten("?", "__granary__.help('', 0)")
        self.rewritten("größe?  # comment", "__granary__.help('größe', 0)")
        self.rewritten("items[0]?", "__granary__.help('items[0]', 0)")
        self.rewritten("?items[-1]", "__granary__.help('items[-1]', 0)")
        self.rewritten("df['a b']??", "__granary__.help(\"df['a b']\", 1)")
        self.rewritten("a[0].b[key]?", "__granary__.help('a[0].b[key]', 0)")
        self.rewritten("dict.fr*?", "__granary__.help('dict.fr*', 0)")
        self.rewritten("?%tim*", "__granary__.help('%tim*', 0)")
        self.rewritten("x = frame.head?", "__granary__.help('frame.head', 0)")

    def test_inside_blocks(self):
        self.rewritten(
            "for i in range(3):\n    if i:\n        !echo {i}\n    else:\n\t\n        x = %pwd\n        i?",
            "for i in range(3):\n    if i:\n        __granary__.system('echo {i}')\n    else:\n\t\n"
            "        x = __granary__.line('pwd', '')\n        __granary__.help('i', 0)",
        )

    def test_a_command_that_goes_on_after_a_backslash_keeps_line_numbers(self):
        self.rewritten("!echo a \\\n  b \\\n  c\nx = 1", "__granary__.system('echo a b c')\n\n\nx = 1")
        self.rewritten("x = !echo a \\\n  b\ny", "x = __granary__.capture('echo a b')\n\ny")
        self.rewritten("%pip install a \\\n    b\ny", "__granary__.line('pip', 'install a b')\n\ny")

    def test_an_escaped_backslash_or_one_at_the_very_end_goes_on_nowhere(self):
        self.rewritten("!echo a\\\\\nx", "__granary__.system('echo a\\\\\\\\')\nx")
        self.rewritten("%cd C:\\", "__granary__.line('cd', 'C:\\\\')")

    def test_windows_and_old_mac_line_ends(self):
        self.rewritten("x = 1\r\n!ls\r\ny", "x = 1\n__granary__.system('ls')\ny")
        self.rewritten("x = 1\r!ls\ry", "x = 1\n__granary__.system('ls')\ny")

    def test_every_line_stays_on_its_number(self):
        source = "a = '''\n!no\n'''\n!yes \\\n more\nb = (1,\n%no\n)\n%who\nc"
        rewritten = rewrite(source)
        self.assertEqual(rewritten.count("\n"), source.count("\n"))
        self.assertEqual(rewritten.split("\n")[9], "c")


class NoMagic(unittest.TestCase):
    def untouched(self, source: str) -> None:
        self.assertIsNone(rewrite(source))

    def test_inside_strings(self):
        self.untouched('x = """\n!ls\n%cd\nlen?\n%%bash\n"""')
        self.untouched("x = f'''\n!ls {y}\n%cd\n'''")
        self.untouched("x = 'a\\\n!ls'")
        self.untouched('def f():\n    """\n    %time\n    !ls\n    """\n    return 1')

    def test_on_continuation_lines(self):
        self.untouched("x = (1\n%time\n)")
        self.untouched("x = [\n 5\n % 3,\n]")
        self.untouched("x = 10 \\\n% time")
        self.untouched("x = 10 \\\n%time")
        self.untouched("f(a,\n!b)")

    def test_operators_comments_and_look_alikes(self):
        self.untouched("x = y % z")
        self.untouched("x = a != b")
        self.untouched("f(a, end=!b)")
        self.untouched("x == %time")
        self.untouched("x = y * 5  # not z += !")
        self.untouched("# !ls\n# %cd\n# what?")
        self.untouched("print('really?')  # why?")
        self.untouched("foo # bar?")
        self.untouched("x = 'bar?")
        self.untouched("foo = '''bar?")
        self.untouched("x = 'a = !b' \"c = %d\"")
        self.untouched("% time")
        self.untouched("!= 3")

    def test_a_cell_that_is_not_python_keeps_its_own_error(self):
        self.untouched("print(1\n!ls")
        self.untouched("x = 'abc\ny = (")
        self.untouched("x = '''\n!ls")

    def test_magics_before_broken_python_are_found(self):
        self.assertEqual(rewrite("!ls\nprint((1\n"), "__granary__.system('ls')\nprint((1\n")

    @unittest.skipIf(not hasattr(ast, "TypeAlias"), "nested quotes in f-strings came with Python 3.12")
    def test_inside_f_strings_with_nested_quotes(self):
        self.untouched("x = f'{'''\n!ls\n'''}'")
        self.assertEqual(rewrite("x = f'{d['a']}'\n!ls"), "x = f'{d['a']}'\n__granary__.system('ls')")


class CellForms(unittest.TestCase):
    def test_the_body_is_handed_over_as_written_and_ends_its_last_line(self):
        body = "a  \n\n\t'x' \"y\" \\\n# %%no\r\nü"
        self.assertEqual(rewrite("%%writefile a.txt\n" + body), f"__granary__.cell('writefile', 'a.txt', {body + chr(10)!r}, 2)")
        self.assertEqual(rewrite("%%writefile a.txt\n" + body + "\n"), rewrite("%%writefile a.txt\n" + body))

    def test_blank_lines_and_comments_may_come_first(self):
        self.assertEqual(rewrite("\n# note\n%%bash -e\nls"), "\n\n__granary__.cell('bash', '-e', 'ls\\n', 4)")

    def test_an_empty_body(self):
        self.assertEqual(rewrite("%%bash"), "__granary__.cell('bash', '', '', 2)")

    def test_later_in_a_cell_it_is_an_error_and_nothing_else_runs(self):
        self.assertEqual(rewrite("x = 1\n%%bash\napt-get install"), "\n__granary__.misplaced_cell_magic('bash')")

    def test_inside_a_string_it_is_text(self):
        self.assertEqual(rewrite("x = '''\n%%bash\n'''\n!ls"), "x = '''\n%%bash\n'''\n__granary__.system('ls')")


class AnyPython(unittest.TestCase):
    """The standard library as a corpus: valid Python stays unchanged."""

    MAGICS = {
        "!echo a 'b": "__granary__.system(\"echo a 'b\")",
        "%time x = (1": "__granary__.line('time', 'x = (1')",
        "files = !ls [": "files = __granary__.capture('ls [')",
        "thing.attribute??": "__granary__.help('thing.attribute', 1)",
        "a, b = %magic '''": "a, b = __granary__.line('magic', \"'''\")",
    }

    @classmethod
    def setUpClass(cls):
        folder = sysconfig.get_path("stdlib")
        names = sorted(name for name in os.listdir(folder) if name.endswith(".py"))
        chosen = random.Random(7).sample(names, 40) + ["tokenize.py", "argparse.py", "string.py", "turtle.py"]
        cls.sources = {}
        for name in chosen:
            with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                cls.sources[name] = file.read()

    def test_valid_python_is_never_touched(self):
        for name, source in self.sources.items():
            with self.subTest(name):
                self.assertTrue(rewrite(source) is None)

    def test_magics_between_its_statements_are_all_found_and_only_they_change(self):
        chance = random.Random(7)
        for name, source in self.sources.items():
            with self.subTest(name):
                lines = source.split("\n")
                expected = list(lines)
                for number in self.starts_of_statements(source):
                    if chance.random() < 0.2:
                        magic, python = chance.choice(list(self.MAGICS.items()))
                        lines.insert(number, magic)
                        expected.insert(number, python)
                rewritten = rewrite("\n".join(lines))
                if lines != expected:
                    self.assertEqual(rewritten.split("\n"), expected)

    @staticmethod
    def starts_of_statements(source):
        """From the last to the first, so that insertions do not move the ones still to come."""
        starts = set()
        end_of_previous = 0
        for node in ast.parse(source).body:
            first = min([node.lineno] + [one.lineno for one in getattr(node, "decorator_list", ())])
            if first > end_of_previous:  # not the second of `a; b`
                starts.add(first - 1)
            end_of_previous = node.end_lineno
        return sorted(starts, reverse=True)


class BigCells(unittest.TestCase):
    def test_long_lines_long_strings_and_many_lines_are_no_trouble(self):
        data = "x = [" + "1, " * 40_000 + "]"
        text = "y = '''\n" + ("!a\n" * 50_000) + "'''"
        many = "z = f(1)\n" * 5_000
        rewritten = rewrite(f"{data}\n{text}\n{many}!ls")
        self.assertTrue(rewritten.endswith("\n__granary__.system('ls')"))
        self.assertEqual(rewritten.count("__granary__"), 1)


if __name__ == "__main__":
    unittest.main()
