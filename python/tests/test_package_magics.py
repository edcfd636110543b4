"""%pip, %uv and %conda."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import unittest
from unittest.mock import patch

from granary_runner.magics.reloading import packages
from granary_runner.magics.syntax.usage_error import UsageError

from tests.standins import NotebookTest


class Packages(NotebookTest):
    """With a stand-in for the program that installs."""

    def setUp(self):
        super().setUp()
        self.calls = []
        self.exit_code = 0
        self.installs = lambda: None

    def run_cell(self, source):
        def run_program(argv, environment):
            self.calls.append(argv)
            self.assertEqual(self.notebook.clock[-1:], [False])
            self.installs()
            return packages.shell.Finished(self.exit_code, "", "")

        with patch.object(packages.shell, "run_program", run_program):
            return super().run_cell(source)

    def with_installers(self, pip, uv):
        real = packages.shutil.which
        spec = patch("importlib.util.find_spec", lambda name: object() if pip else None)
        which = patch.object(packages.shutil, "which", lambda name: uv if name == "uv" else real(name))
        return spec, which

    def test_pip_installs_into_this_python_while_the_clock_stands(self):
        spec, which = self.with_installers(True, None)
        with spec, which:
            self.run_cell("name = 'numpy'\n%pip install {name}>=1 -q")
            self.run_cell("%pip uninstall numpy")
        python = [sys.executable, "-m", "pip"]
        self.assertEqual(self.calls, [python + ["install", "numpy>=1", "-q"], python + ["uninstall", "--yes", "numpy"]])
        self.assertEqual(self.notebook.clock, [False, True] * 2)

    def test_uv_installs_where_there_is_no_pip(self):
        spec, which = self.with_installers(False, "/bin/uv")
        with spec, which:
            self.run_cell("%pip install 'a b'")
            self.run_cell("%pip uninstall -y a")
            self.run_cell("%uv pip list")
        self.assertEqual(
            self.calls,
            [
                ["/bin/uv", "pip", "install", "--python", sys.executable, "a b"],
                ["/bin/uv", "pip", "uninstall", "--python", sys.executable, "a"],
                ["/bin/uv", "pip", "list", "--python", sys.executable],
            ],
        )

    def test_without_either_the_remedy_is_named(self):
        spec, which = self.with_installers(False, None)
        with spec, which, self.assertRaisesRegex(UsageError, "-m ensurepip --upgrade"):
            self.run_cell("%pip install a")
        self.assertEqual(self.notebook.clock[-1:], [True])

    def test_what_is_meant_for_the_shell_goes_to_the_shell(self):
        spec, which = self.with_installers(True, None)
        with spec, which:
            self.run_cell("%pip install 'a>1' 2>&1 | tail -1")
        command = f"{sys.executable} -m pip install 'a>1' 2>&1 | tail -1"
        self.assertEqual(self.calls[0][1:], ["-c", command + packages._WITH_ITS_OWN_EXIT_CODE])

    @unittest.skipIf(shutil.which("bash") is None, "bash is not installed")
    def test_behind_a_pipe_the_installers_own_exit_code_counts(self):
        for exit_code, tail in ((0, "| grep nothing"), (1, "| tail -1"), (2, "> /dev/null"), (3, "2>&1 && true")):
            program = ["bash", "-c", f"exit {exit_code}"]
            with self.subTest(tail), patch.object(packages, "_installer", return_value=program):
                argv = packages._command(["install"], "install " + tail)
                self.assertEqual(packages.shell.run_program(argv).exit_code, exit_code)

    def test_a_failing_installation_fails_the_cell(self):
        self.exit_code = 1
        spec, which = self.with_installers(True, None)
        failure = "%pip install a ended with exit code 1"
        with spec, which, self.assertRaisesRegex(subprocess.CalledProcessError, failure):
            self.run_cell("%pip install a")
        self.assertEqual(self.notebook.clock, [False, True])

    def test_a_package_that_changed_under_its_import_needs_a_restart(self):
        self.write("changing.py", "x = 1")
        self.write("staying.py", "x = 1")
        self.addCleanup(sys.modules.pop, "changing", None)
        self.addCleanup(sys.modules.pop, "staying", None)
        super().run_cell("import changing, staying")
        self.installs = lambda: self.write("changing.py", "x = 22")
        self.run_cell("%pip install changing")
        self.assertEqual(
            self.stdout, "Note: changing had been imported before; restart the kernel to use what is installed now.\n"
        )

    def test_an_editable_installation_can_be_imported_at_once(self):
        os.makedirs("site")
        self.write("project/edited.py", "x = 7")
        self.addCleanup(sys.modules.pop, "edited", None)
        sys.path.append(os.path.join(self.folder, "site"))
        self.installs = lambda: self.write("site/edited.pth", os.path.join(self.folder, "project") + "\n")
        self.run_cell("%pip install -e project")
        self.assertEqual(super().run_cell("import edited\nedited.x"), 7)

    def test_conda_is_refused_with_a_remedy(self):
        with self.assertRaisesRegex(UsageError, "%conda cannot .* Use `%pip install NAME`"):
            self.run_cell("%conda install a")


if __name__ == "__main__":
    unittest.main()
