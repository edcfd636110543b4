"""%autoreload: a module is edited, the next cell uses it, and everything made from the old one still works."""

from __future__ import annotations

import os
import pickle
import sys
import textwrap

from granary_runner.magics.reloading import autoreload, watched_files

from tests.standins import NotebookTest


class Autoreload(NotebookTest):
    def setUp(self):
        super().setUp()
        before = set(sys.modules)
        self.addCleanup(lambda: [sys.modules.pop(name) for name in set(sys.modules) - before])
        self.addCleanup(autoreload.followed.clear)
        self.addCleanup(autoreload.switch, 0)
        writing = sys.dont_write_bytecode
        sys.dont_write_bytecode = False  # a fresh .pyc must not hide an edit
        self.addCleanup(setattr, sys, "dont_write_bytecode", writing)
        self.run_cell("%load_ext autoreload\n%autoreload 2")

    def edit(self, source: str, name: str = "m.py") -> None:
        """An edit within the same clock tick would be invisible to any tool, so this moves the time."""
        path = os.path.join(self.folder, name)
        earlier = os.stat(path).st_mtime_ns if os.path.exists(path) else 0
        self.write(name, textwrap.dedent(source))
        if earlier:
            os.utime(path, ns=(earlier + 1_000_000, earlier + 1_000_000))

    def test_an_edited_module_is_new_in_the_next_cell(self):
        self.edit("def f(): return 1")
        self.assertEqual(self.run_cell("import m\nm.f()"), 1)
        self.edit("def f(): return 2")  # same size, same second: only the nanoseconds tell
        self.assertEqual(self.run_cell("m.f()"), 2)
        self.edit("def f(): return 3")
        self.assertEqual(self.run_cell("m.f()"), 3)

    def test_names_imported_from_it_are_new_too(self):
        self.edit("def f(a, b=1):\n    'old'\n    return a + b\nf.mark = 1")
        self.assertEqual(self.run_cell("from m import f\nkept = f\nf(1)"), 2)
        self.edit("def f(a, b=10, *, c=100):\n    'new'\n    return a + b + c\n")
        self.assertEqual(self.run_cell("f(1)"), 111)
        f = self.names["f"]
        self.assertEqual((f.__doc__, hasattr(f, "mark")), ("new", False))
        self.assertTrue(self.run_cell("import m\nm.f is f is kept"))

    def test_a_decorated_function_is_new_too(self):
        source = """
            import functools
            def loud(function):
                @functools.wraps(function)
                def wrapper(*args):
                    return function(*args).upper()
                return wrapper
            @loud
            def f(): return %r
            @functools.lru_cache(maxsize=None)
            def cached(): return %r
            """
        self.edit(source % ("a", "a"))
        self.assertEqual(self.run_cell("from m import f, cached\nf(), cached()"), ("A", "a"))
        self.edit(source % ("b", "b"))
        self.assertEqual(self.run_cell("f(), cached()"), ("B", "b"))

    def test_instances_and_subclasses_get_the_new_methods(self):
        self.edit(
            """
            class A:
                limit = 1
                def __init__(self): self.x = 1
                def get(self): return self.x
                def gone(self): pass
                @property
                def double(self): return self.x * 2
                @classmethod
                def make(cls): return cls()
                @staticmethod
                def fixed(): return 'old'
            class B(A):
                def get(self): return super().get()
            """
        )
        self.run_cell("from m import A, B\na, b = A(), B()\nget, make = a.get, A.make")
        self.run_cell("class Mine(A): pass\nmine = Mine()")
        self.edit(
            """
            class A:
                limit = 2
                def __init__(self): self.x = 10
                def get(self): return self.x + 100
                def added(self): return 'added'
                @property
                def double(self): return self.x * 200
                @classmethod
                def make(cls): return cls(), 'new'
                @staticmethod
                def fixed(): return 'new'
            class B(A):
                def get(self): return super().get() + 1000
                def added(self): return super().added() + '!'
            """
        )
        self.assertEqual(
            self.run_cell("a.get(), b.get(), mine.get(), get(), a.double, a.limit, A.fixed(), a.added(), b.added()"),
            (101, 1101, 101, 101, 200, 2, "new", "added", "added!"),
        )
        self.assertEqual(self.run_cell("make()[1], hasattr(a, 'gone'), A().x"), ("new", False, 10))

    def test_isinstance_and_pickle_go_on_working(self):
        self.edit("class A: pass\nclass B(A): pass\ndef check(x): return isinstance(x, A)\n")
        self.run_cell("import m\nfrom m import A, B\na, b = A(), B()")
        self.edit("class A: new = 1\nclass B(A): new = 2\ndef check(x): return isinstance(x, A), x.new\nshared = B()\n")
        self.assertEqual(
            self.run_cell("m.check(a), m.check(b), m.check(A()), m.check(B()), m.check(m.shared)"),
            ((True, 1), (True, 2), (True, 1), (True, 2), (True, 2)),
        )
        self.assertTrue(self.run_cell("isinstance(m.shared, B) and type(m.shared) is B"))
        pickle.loads(pickle.dumps(self.names["a"]))

    def test_what_the_new_source_keeps_of_its_classes_is_the_class_that_stays(self):
        source = """
            class A:
                pass
            KINDS = {"a": A}
            LIST = [A]
            def kind(x: A = None): return KINDS["a"]
            """
        self.edit(source)
        self.run_cell("import m\nfrom m import A")
        self.edit(source + "\n            LATER = 1\n")
        self.assertTrue(self.run_cell("m.LATER == 1 and m.KINDS['a'] is A and m.LIST[0] is A and m.kind() is A"))

    def test_dataclasses_enumerations_and_abstract_classes(self):
        source = """
            import abc, dataclasses, enum
            @dataclasses.dataclass
            class Point:
                x: int
                {field}
                def size(self): return {size}
            class Color(enum.Enum):
                RED = 1
                def label(self): return {label!r}
            DEFAULT = Color.RED
            class Shape(abc.ABC):
                @abc.abstractmethod
                def area(self): ...
                def name(self): return {label!r}
            class Square(Shape):
                def area(self): return {size}
            """
        self.edit(source.format(field="", size=1, label="old"))
        self.run_cell("import m\nfrom m import Point, Color, Square\np, red, square = Point(1), Color.RED, Square()")
        self.edit(source.format(field="y: int = 7", size=2, label="new"))
        self.assertEqual(self.run_cell("p.size(), Point(1), red.label(), square.name(), square.area()")[0], 2)
        self.assertEqual(self.run_cell("repr(Point(1)), red.label(), square.name()"), ("Point(x=1, y=7)", "new", "new"))
        self.assertTrue(self.run_cell("red is m.Color.RED is m.DEFAULT is Color(1)"))

    def test_an_enumeration_with_other_members_is_replaced(self):
        self.edit("import enum\nclass Color(enum.Enum):\n    RED = 1\n")
        self.run_cell("import m\nm.Color.RED")
        self.edit("import enum\nclass Color(enum.Enum):\n    RED = 1\n    BLUE = 2\n")
        self.assertEqual(self.run_cell("m.Color.BLUE.value"), 2)

    def test_what_was_removed_is_gone_and_data_is_new(self):
        self.edit("def f(): pass\nLIMIT = 1")
        self.run_cell("import m")
        self.edit("LIMIT = 2")
        self.assertEqual(self.run_cell("hasattr(m, 'f'), m.LIMIT"), (False, 2))

    def test_a_broken_edit_is_told_once_and_the_earlier_version_stays(self):
        self.edit("def f(): return 1\n")
        self.run_cell("import m")
        self.edit("def f(: return 2\n")
        self.assertEqual(self.run_cell("m.f()"), 1)
        self.assertIn("autoreload: m could not be reloaded, its earlier version stays in use.", self.stderr)
        self.assertIn("m.py", self.stderr)
        self.assertIn("SyntaxError", self.stderr)
        self.run_cell("m.f()")
        self.assertEqual(self.stderr, "")
        self.edit("def f(): return 3\n1/0\n")
        self.assertEqual(self.run_cell("m.f()"), 1)
        self.assertRegex(self.stderr, r"ZeroDivisionError: division by zero \(.*m.py, line 2\)")
        self.edit("def f(): return 4\n")
        self.assertEqual(self.run_cell("m.f()"), 4)

    def test_modules_that_need_each_other_are_loaded_in_the_right_order(self):
        for first, second in (("a", "b"), ("b", "a")):
            with self.subTest(f"{first} imported first"):
                self.edit("def g(): return 1", "b.py")
                self.edit("import b\nfrom b import g\ndef f(): return g()", "a.py")
                self.run_cell(f"import {first}, {second}\nimport a")
                self.edit("def h(): return 2", "b.py")
                self.edit("import b\nfrom b import h\ndef f(): return h()", "a.py")
                self.assertEqual(self.run_cell("a.f()"), 2, self.stderr)
                self.assertEqual(self.stderr, "")
                del sys.modules["a"], sys.modules["b"]

    def test_packages(self):
        self.edit("from .inner import f", "pack/__init__.py")
        self.edit("def f(): return 1", "pack/inner.py")
        self.run_cell("import pack\nfrom pack import f")
        self.edit("def f(): return 2", "pack/inner.py")
        self.assertEqual(self.run_cell("pack.f(), f(), pack.inner.f()"), (2, 2, 2))
        self.edit("from .inner import f\nN = 1", "pack/__init__.py")
        self.assertEqual(self.run_cell("pack.N, pack.inner.f()"), (1, 2))

    def test_modes(self):
        self.edit("def f(): return 1")
        self.run_cell("import m\n%autoreload 0")
        self.edit("def f(): return 2")
        self.assertEqual(self.run_cell("m.f()"), 1)
        self.run_cell("%autoreload 1")
        self.edit("def f(): return 3")
        self.assertEqual(self.run_cell("m.f()"), 1)
        self.run_cell("%aimport m")
        self.edit("def f(): return 4")
        self.assertEqual(self.run_cell("m.f()"), 4)
        self.run_cell("%autoreload off")
        self.edit("def f(): return 5")
        self.assertEqual(self.run_cell("%autoreload\nm.f()"), 5)
        self.assertNotIn(watched_files.observer, sys.meta_path)

    def test_installed_modules_are_left_alone(self):
        self.edit("def f(): return 1", "site-packages/installed.py")
        self.run_cell("import sys; sys.path.insert(0, 'site-packages')\nimport installed")
        self.edit("def f(): return 2", "site-packages/installed.py")
        self.assertEqual(self.run_cell("installed.f()"), 1)

    def test_a_deleted_file_is_no_trouble(self):
        self.edit("def f(): return 1")
        self.run_cell("import m")
        os.remove("m.py")
        self.assertEqual(self.run_cell("m.f()"), 1)
        self.assertEqual(self.stderr, "")


if __name__ == "__main__":
    import unittest

    unittest.main()
