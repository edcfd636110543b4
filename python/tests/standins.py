"""Stands where the runner's core would be, so that magics can be tested in one process.

`Notebook` runs cells as `execute` does, in a namespace of its own, and remembers what they print and show.
"""

from __future__ import annotations

import builtins
import contextlib
import io
import os
import sys
import tempfile
import unittest
from unittest.mock import patch

from granary_runner import magics
from granary_runner.cells import compiling, execute, main_module
from granary_runner.wire import emit


class Notebook:
    def __init__(self) -> None:
        self.names: dict = {"__name__": "__main__", "__builtins__": builtins}
        self.displays: list = []  # MIME bundles
        self.clock: list = []
        self.results: list = []  # what run_source showed
        self.before_cell: list = []
        self.stdout = ""
        self.stderr = ""
        self._count = 0

    def __enter__(self) -> Notebook:
        self._patches = contextlib.ExitStack()
        for target, name, value in (
            (emit, "display", self._display),
            (emit, "clear", lambda wait: None),
            (emit, "clock", self.clock.append),
            (execute, "namespace", lambda: self.names),
            (execute, "run_source", self._run_source),
            (execute, "show_value", self._show),
            (main_module, "sources", {}),
            (execute, "before_cell", self.before_cell),
            (builtins, "__granary__", magics),
            (builtins, "display", lambda value: emit.display({"text/plain": repr(value)}, {})),
        ):
            self._patches.enter_context(patch.object(target, name, value, create=True))
        return self

    def __exit__(self, *problem: object) -> None:
        self._patches.close()

    def run(self, source: str) -> object:
        """Run a cell; the value of its last expression. `stdout` and `stderr` hold what this cell printed."""
        self._count += 1
        out, err = io.StringIO(), io.StringIO()
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                for prepare in list(self.before_cell):
                    prepare()
                return self._run_source(source, f"<cell {self._count}>", False)
        finally:
            self.stdout, self.stderr = out.getvalue(), err.getvalue()

    def _display(self, data, metadata, display_id=None, update=False, line=None, page=False) -> None:
        self.displays.append(data)

    def _run_source(self, source, file=None, show_result=True, namespace=None, first_line=1) -> object:
        if file is not None and file not in main_module.sources:
            main_module.remember(file, source)
        variables = self.names if namespace is None else namespace
        compiled = compiling.compile_cell(source, file, first_line)
        value = None
        for part in compiled.parts:
            value = eval(part, variables)
        if not compiled.shows:
            return None
        if show_result:
            self._show(value)
        return value

    def _show(self, value: object) -> None:
        if value is not None:
            self.results.append(value)


class NotebookTest(unittest.TestCase):
    """Each test has a notebook of its own and starts in an empty folder."""

    def setUp(self) -> None:
        self.notebook = Notebook()
        self.notebook.__enter__()
        self.addCleanup(self.notebook.__exit__)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.realpath(folder.name)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        environment = patch.dict(os.environ)
        environment.start()
        self.addCleanup(environment.stop)
        path = patch.object(sys, "path", ["", *sys.path])
        path.start()
        self.addCleanup(path.stop)

    def run_cell(self, source: str) -> object:
        return self.notebook.run(source)

    @property
    def names(self) -> dict:
        return self.notebook.names

    @property
    def stdout(self) -> str:
        return self.notebook.stdout

    @property
    def stderr(self) -> str:
        return self.notebook.stderr

    def write(self, name: str, text: str) -> str:
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def read(self, name: str) -> str:
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return file.read()
