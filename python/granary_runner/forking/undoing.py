"""Takes back what becomes of a process that was a kernel: descriptors, variables, folder, search path, handlers."""

from __future__ import annotations

import faulthandler
import os
import sys

from .. import working_folder
from ..cells import execute, interrupt, main_module
from ..wire import emit, forks, marks, streams
from . import descriptors


class Undoing:
    def __enter__(self) -> "Undoing":
        self._folder = os.getcwd()
        self._variables = dict(os.environ)
        self._path = sys.path[:]
        self._reports_crashes = faulthandler.is_enabled()
        self._output: "list[tuple[int, int]]" = []
        self._descriptors = _descriptors()
        return self

    def redirect_output(self) -> None:
        """Into pipes, as a kernel's, which are large enough for a few lines."""
        for fd in (streams.OUT, streams.ERR):
            self._output.append((os.dup(fd), fd))
            os.dup2(os.pipe()[1], fd)

    def __exit__(self, *_) -> None:
        interrupt.park()
        emit.open_channel(-1)
        forks.park()
        marks.park()
        faulthandler.disable()
        for kept, fd in self._output:
            os.dup2(kept, fd)
        if self._reports_crashes:
            faulthandler.enable(streams.ERR)
        for fd in _descriptors() - self._descriptors:
            os.close(fd)
        os.chdir(self._folder)
        working_folder.forget()
        sys.path[:] = self._path
        self._put_variables_back()
        execute.start(execute.namespace())
        main_module.forget("<granary>")

    def _put_variables_back(self) -> None:
        for name in set(os.environ) - set(self._variables):
            del os.environ[name]
        for name, value in self._variables.items():
            if os.environ.get(name) != value:
                os.environ[name] = value


def _descriptors() -> "set[int]":
    return {int(number) for number, _ in descriptors.open_now()}
