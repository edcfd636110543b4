"""The last lines of an error: Python's own suggestions, and the package to install."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from granary_runner.cells.errors import describe
from granary_runner.hints.package_names import OWN, PACKAGES, REMOVED

SOURCES = str(Path(__file__).resolve().parent.parent)

MISTAKES = [
    "[].apend(1)",
    "[].Append(1)",
    "[].clar()",
    "''.jion([])",
    "total = 1\nprint(totl)",
    "def f():\n    wrapped = 1\n    return wraped\nf()",
    "pritn(1)",
    "import math\nmath.sqr(4)",
    "class A:\n    blech = None\n    bluch = None\nA().bluchin",
    "class A:\n    def __dir__(self): raise ValueError\nA().x",
    "nothing_like_this_anywhere",
    "x" * 60,
    "try:\n    [].apend(1)\nexcept AttributeError as problem:\n    raise ValueError('outer') from problem",
    "try:\n    [].apend(1)\nexcept AttributeError:\n    pritn(1)",
    "raise NameError('mine')",
    "raise AttributeError('mine', name='apend', obj=[])" if sys.version_info >= (3, 10) else "raise AttributeError('x')",
]


def messages(lines: "list[str]") -> "list[str]":
    """The lines that name an exception."""
    return [line for line in lines if line.split(":")[0].endswith("Error")]


def raised(source: str) -> BaseException:
    try:
        exec(compile(source, "<string>", "exec"), {"__name__": "__main__"})
    except BaseException as problem:
        return problem
    raise AssertionError("nothing was raised")


def run(source: str, folder: str) -> "list[str]":
    """The lines about an exception in a Python of its own."""
    program = (
        f"import sys; sys.path.insert(0, {SOURCES!r})\nfrom granary_runner.cells.errors import describe\n"
        f"sys.path[0] = ''\ntry:\n    exec({source!r})\nexcept BaseException as problem:\n    print('\\n'.join(describe(problem)[2]))"
    )
    command = [sys.executable, "-c", program]
    return subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", cwd=folder, check=True).stdout.split("\n")[:-1]


class Suggestions(unittest.TestCase):
    def test_an_error_has_the_suggestion_that_python_prints(self):
        for source in MISTAKES:
            with self.subTest(source):
                printed = subprocess.run([sys.executable, "-c", source], stderr=subprocess.PIPE, encoding="utf-8")
                self.assertEqual(messages(describe(raised(source))[2]), messages(printed.stderr.split("\n")))

    @unittest.skipIf(sys.version_info < (3, 10), "Python had none")
    def test_there_is_one_from_python_3_10_on(self):
        self.assertIn("Did you mean: 'append'?", describe(raised("[].apend(1)"))[2][-1])


class MissingModules(unittest.TestCase):
    def hint(self, name: str) -> str:
        return describe(ModuleNotFoundError(f"No module named {name!r}", name=name))[2][-1]

    def test_the_package_is_named_where_it_has_another_name(self):
        for module, package in [("sklearn", "scikit-learn"), ("cv2", "opencv-python"), ("PIL", "pillow"), ("yaml", "pyyaml"),
                                ("bs4", "beautifulsoup4"), ("dotenv", "python-dotenv"), ("sklearn.svm", "scikit-learn"),
                                ("google.cloud.storage.blob", "google-cloud-storage")]:
            self.assertEqual(self.hint(module), f"The package {package} has this module. To install it: %pip install {package}")

    def test_any_other_module_may_be_a_package_of_its_name(self):
        hint = "If it is a package, and not a file of your own: %pip install some-thing"
        self.assertEqual(self.hint("some_thing.part"), hint)

    def test_names_that_no_package_brings_get_no_command(self):
        for name in ["utils", "helpers", "src.model", "_private", "json.missing", "not a name", "a;b", "..", ""]:
            self.assertEqual(self.hint(name), f"ModuleNotFoundError: No module named {name!r}", name)
        self.assertEqual(self.hint("urllib2"), "Python 3 calls it urllib.request.")

    def test_a_wrong_letter_in_the_name_of_a_module_is_no_package_to_install(self):
        import subprocess as _  # on Python 3.8 and 3.9, only imported modules are known

        for name, meant in [("subproces", "subprocess"), ("subprocesss", "subprocess"), ("Subprocess", "subprocess")]:
            self.assertEqual(self.hint(name), f"Did you mean: '{meant}'?")
        for name in ("lxml", "ujson", "orjson", "httpx", "tomli", "cupy"):  # packages whose names are close to json, xml, …
            self.assertNotIn("Did you mean", self.hint(name))

    def test_a_name_that_several_packages_share_is_none_to_install(self):
        shares = "Several packages share the name google. To install one, such as google-cloud-storage: %pip install google-cloud-storage"
        self.assertEqual(self.hint("google"), shares)

    def test_an_error_without_a_name_stays(self):
        self.assertEqual(describe(ModuleNotFoundError("mine"))[2][-1], "ModuleNotFoundError: mine")

    def test_the_table_has_a_hundred_modules_and_each_differs_from_its_package(self):
        self.assertGreaterEqual(len(PACKAGES), 100)
        self.assertEqual([module for module, package in PACKAGES.items() if module == package], [])
        self.assertFalse(OWN & set(PACKAGES) or OWN & set(REMOVED) or set(REMOVED) & set(PACKAGES))

    def test_a_file_of_the_users_that_hides_the_module_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("email.py", "statistics.py", "mine.py"):
                Path(folder, name).write_text("")
            hides = "The file email.py hides another module of that name. Rename it, and import again in a fresh kernel."
            self.assertEqual(run("import email.message", folder)[-1], hides)
            self.assertEqual(run("from statistics import mean", folder)[-1], hides.replace("email", "statistics"))
            own = "Here, mine is the file mine.py. If you mean a package: rename the file, and import again in a fresh kernel."
            self.assertEqual(run("import mine.part", folder)[-1], own)
            self.assertIn("cannot import name 'x' from 'mine'", run("from mine import x", folder)[-1])

    def test_the_real_import_of_a_missing_module_says_how_to_install_it(self):
        with tempfile.TemporaryDirectory() as folder:
            lines = run("import granary_never_was", folder)
            self.assertEqual(lines[-1], "If it is a package, and not a file of your own: %pip install granary-never-was")


if __name__ == "__main__":
    unittest.main()
