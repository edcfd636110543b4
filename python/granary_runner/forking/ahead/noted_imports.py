"""While modules are imported ahead: notes which package imports which, and which variables are read."""

from __future__ import annotations

import builtins
import os
import sys

needs: dict = {}  # top package -> the top packages that it imports
read: set = set()  # the variables


def top(name: str) -> str:
    return name.partition(".")[0]


class NotedImports:
    def __enter__(self) -> "NotedImports":
        self._before = set(sys.modules)
        self._known: set = set()
        import importlib  # not at the top: a kernel with nothing imported ahead would have it

        self._importlib = importlib._bootstrap
        self.import_unnoted = builtins.__import__
        builtins.__import__ = self._noting
        self._import_by_name = self._importlib._gcd_import
        self._importlib._gcd_import = self._noting_by_name
        self._variables = os.environ._data
        os.environ._data = _NotingDict(self._variables)
        return self

    def __exit__(self, *_) -> None:
        builtins.__import__ = self.import_unnoted
        self._importlib._gcd_import = self._import_by_name
        self._variables.clear()
        self._variables.update(os.environ._data)
        os.environ._data = self._variables

    def imported(self, name: str) -> None:
        """C code imports without `__import__`: what came first with this module belongs to it."""
        added = self.added()
        needs.setdefault(top(name), set()).update(top(other) for other in added - self._known)
        self._known = added

    def added(self) -> set:
        return set(sys.modules) - self._before

    def _noting(self, name, globals=None, locals=None, fromlist=(), level=0):
        module = self.import_unnoted(name, globals, locals, fromlist, level)
        if level == 0 and globals:
            _note(globals.get("__name__") or "", name)
        return module

    def _noting_by_name(self, name, package=None, level=0):
        """Behind `importlib.import_module`, whose caller is one frame up."""
        if level == 0:
            _note(sys._getframe(2).f_globals.get("__name__") or "", name)
        return self._import_by_name(name, package, level)


def _note(importer: str, name: str) -> None:
    needs.setdefault(top(importer), set()).add(top(name))


class _NotingDict(dict):
    """The variables behind `os.environ`: notes which are asked for."""

    def __getitem__(self, name):
        read.add(os.fsdecode(name))
        return dict.__getitem__(self, name)
