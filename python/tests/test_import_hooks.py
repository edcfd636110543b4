"""Modules are patched during their import, without other effects."""

from __future__ import annotations

import unittest

from .recorded_cell import RecordedCell

# Modules of our own to import, and the patches that the hooks have for them.
STAGE = """
import sys, types
from pathlib import Path
from granary_runner import import_hooks

def patched(name, apply):
    import_hooks.PATCHES[name] = name
    patch = sys.modules["granary_runner.patches." + name] = types.ModuleType(name)
    patch.apply = apply
    return name

def written(name, source):
    Path(name + ".py").write_text(source)
    return name

def mark(module):
    module.patched = module.value
"""


class ImportHooks(unittest.TestCase):
    def assertCell(self, source, expected):
        cell = RecordedCell(STAGE + source, site_packages=False)
        self.assertEqual((cell.stdout, cell.stderr), (expected, ""))

    def test_a_patch_runs_after_the_module_s_own_code(self):
        self.assertCell("""
patched(written("thing", "value = 1"), mark)
import thing
print(thing.patched)
""", "1\n")

    def test_reloading_patches_again(self):
        self.assertCell("""
import importlib
patched(written("thing", "value = 1"), mark)
import thing
written("thing", "value = 20")
importlib.reload(thing)
print(thing.patched)
""", "20\n")

    def test_a_patched_module_keeps_its_own_loader_and_source(self):
        self.assertCell("""
import inspect, pickle
patched(written("thing", "value = __loader__.__class__.__name__\\ndef f():\\n    return 1\\n"), mark)
import thing
print(thing.patched, type(thing.__loader__).__name__, thing.__spec__.loader is thing.__loader__)
print(inspect.getsource(thing.f), end="")
print(pickle.loads(pickle.dumps(thing.f))())
""", "SourceFileLoader SourceFileLoader True\ndef f():\n    return 1\n1\n")

    def test_a_module_can_be_looked_up_without_importing_it(self):
        self.assertCell("""
import copy, importlib.util
patched(written("thing", "value = 1"), mark)
spec = importlib.util.find_spec("thing")
print(spec.loader.get_source("thing"), spec.loader.is_package("thing"), copy.copy(spec.loader).name, "thing" in sys.modules)
""", "value = 1 False thing False\n")

    def test_a_module_that_is_missing_is_missing_as_usual(self):
        self.assertCell("""
patched("nothing", mark)
try:
    import nothing
except ModuleNotFoundError as error:
    print(error)
""", "No module named 'nothing'\n")

    def test_an_error_in_the_module_reaches_the_user_unchanged(self):
        self.assertCell("""
patched(written("thing", "1/0"), mark)
try:
    import thing
except ZeroDivisionError as error:
    print(error, "thing" in sys.modules)
""", "division by zero False\n")

    def test_a_patch_that_fails_costs_one_line_and_not_the_import(self):
        cell = RecordedCell(STAGE + """
def fail(module):
    raise AttributeError("no such\\nfunction")
patched(written("thing", "value = 1"), fail)
import thing
print(thing.value)
""", site_packages=False)
        self.assertEqual(cell.stdout, "1\n")
        self.assertEqual(cell.stderr, "granary: could not adapt thing: AttributeError: no such function\n")

    def test_a_loader_of_the_old_kind_is_left_alone(self):
        self.assertCell("""
from importlib.machinery import ModuleSpec
class OldLoader:
    def load_module(self, name):
        module = sys.modules[name] = types.ModuleType(name)
        module.value = 1
        return module
class Finder:
    def find_spec(self, name, path=None, target=None):
        return ModuleSpec(name, OldLoader()) if name == "thing" else None
sys.meta_path.append(Finder())
patched("thing", mark)
import warnings
with warnings.catch_warnings():
    warnings.simplefilter("ignore", ImportWarning)
    warnings.simplefilter("ignore", DeprecationWarning)
    import thing
print(thing.value)
""", "1\n")

    def test_another_finder_may_ask_all_finders_too(self):
        self.assertCell("""
class Curious:
    def find_spec(self, name, path=None, target=None):
        for finder in sys.meta_path:
            spec = None if finder is self else finder.find_spec(name, path, target)
            if spec is not None:
                return spec
sys.meta_path.insert(0, Curious())
patched(written("thing", "value = 1"), mark)
import thing
print(thing.patched)
""", "1\n")

    def test_a_module_imported_before_the_hooks_is_patched_when_they_are_installed(self):
        self.assertCell("""
patched(written("thing", "value = 1"), mark)
del sys.meta_path[0]
import thing
import_hooks.install()
print(thing.patched)
""", "1\n")

    def test_installing_the_hooks_imports_nothing_else(self):
        self.assertCell("""
import subprocess
program = written("program", '''
import sys
sys.path.insert(0, sys.argv[1])
before = set(sys.modules)
from granary_runner import import_hooks
import_hooks.install()
print(sorted(set(sys.modules) - before - {"__future__"}))
''')
sources = str(Path(import_hooks.__file__).parent.parent)
subprocess.run([sys.executable, "-S", program + ".py", sources], check=True)
""", "['granary_runner', 'granary_runner.import_hooks']\n")


if __name__ == "__main__":
    unittest.main()
