"""Which modules the user's names come from."""

from __future__ import annotations

import importlib.machinery
import json
import sys
import types
import unittest

from granary_runner import used_modules


class UsedModules(unittest.TestCase):
    def setUp(self):
        self.added = []
        self.top = self.install("kit", "/env/site-packages/kit/__init__.py")
        self.part = self.install("kit.parts", "/env/site-packages/kit/parts/__init__.py")
        self.inner = self.install("kit.parts._inner", "/env/site-packages/kit/parts/_inner.py")
        self.mine = self.install("mine", "/project/mine.py")

    def tearDown(self):
        for name in self.added:
            del sys.modules[name]

    def install(self, name, origin):
        module = types.ModuleType(name)
        module.__spec__ = importlib.machinery.ModuleSpec(name, None, origin=origin)
        sys.modules[name] = module
        self.added.append(name)
        return module

    def test_modules_classes_and_functions_are_found_under_their_public_names(self):
        model = type("Model", (), {"__module__": "kit.parts._inner"})
        function = types.FunctionType((lambda: 0).__code__, {"__name__": "kit"})
        self.assertEqual(used_modules.names({"k": self.top}), ["kit"])
        self.assertEqual(used_modules.names({"Model": model, "again": self.part}), ["kit.parts"])
        self.assertEqual(used_modules.names({"f": function}), ["kit"])

    def test_modules_of_the_project_and_of_python_itself_are_left_out(self):
        self.assertEqual(used_modules.names({"mine": self.mine, "json": json, "dumps": json.dumps, "len": len}), [])

    def test_no_code_of_the_users_is_run(self):
        class Trap(type):
            def __getattribute__(cls, name):
                raise AssertionError(name)

        class Odd:
            def __getattribute__(self, name):
                raise AssertionError(name)

        unnamed = types.ModuleType("x")
        unnamed.__name__ = ["not a text"]
        values = {"a": Trap("A", (), {"__module__": 3}), "b": Odd(), "c": unnamed, "d": None, "e": [1]}
        self.assertEqual(used_modules.names(values), [])

    def test_a_lazy_module_stays_unloaded(self):
        class Lazy(types.ModuleType):
            def __getattribute__(self, name):
                raise AssertionError(name)

        self.assertEqual(used_modules.names({"lazy": Lazy("lazy")}), [])

    def test_there_is_an_end_to_the_list(self):
        values = {}
        for number in range(100):
            name = "kit.n%d" % number
            values[name] = self.install(name, "/env/site-packages/kit/n%d.py" % number)
        self.assertEqual(len(used_modules.names(values)), 50)


if __name__ == "__main__":
    unittest.main()
