"""%run: a Python file or module as a program."""

from __future__ import annotations

import os
import sys

from .. import execute
from .call import MagicCall
from .timing import Stopwatch
from .options import FLAG, Options
from .usage_error import UsageError

_OPTIONS = {"-i": FLAG, "-n": FLAG, "-m": FLAG, "-e": FLAG, "-t": FLAG}


class ScriptExit(Exception):
    """The script called sys.exit() with something that means failure."""

    __module__ = "builtins"  # tracebacks then name it without Granary's module path


def _run(call: MagicCall) -> None:
    """Run a file as a program and keep its names: `%run [-i] [-n] [-e] [-t] file.py args`, `%run -m module args`.

    With -i it starts with your names, with -n its `__name__` is not "__main__", with -e no sys.exit() is a failure, and
    with -t the times are printed.
    """
    options = Options(call, _OPTIONS, "[-i] [-n] [-e] [-t] [-m] file.py args", leading=True)
    if not options.rest:
        raise UsageError("%run needs a file, for example: %run script.py --fast")
    watch = Stopwatch()
    try:
        _run_with(options.given, options.rest)
    except ScriptExit:
        if "-e" not in options:
            raise
    if "-t" in options:
        watch.report()


def _run_with(flags: dict, words: list[str]) -> None:
    if "-m" in flags:
        return _run_module(words[0], words[1:])
    path = _find(words[0])
    name = os.path.splitext(os.path.basename(path))[0] if "-n" in flags else "__main__"
    if "-i" in flags:
        return _run_in_users_namespace(path, words[1:], name)
    _run_file(path, words[1:], name)


def _find(given: str) -> str:
    path = os.path.expanduser(given)
    if path.endswith(".ipynb"):
        raise UsageError(f"%run runs Python files; {given} is a notebook, which Granary cannot run yet.")
    if not os.path.isfile(path) and os.path.isfile(path + ".py"):
        path += ".py"
    if not os.path.isfile(path):
        raise FileNotFoundError(f"%run: there is no file {given} in {os.getcwd()}")
    return path


def _run_file(path: str, args: list[str], name: str) -> None:
    """In a fresh `__main__`, put in place while the script runs: pickle and multiprocessing look there."""
    module = type(sys)(name)
    module.__file__ = os.path.abspath(path)
    code = _compile(path)
    real_main = sys.modules["__main__"]
    with _AsProgram(path, args):
        if name == "__main__":
            sys.modules["__main__"] = module
        try:
            _exec(code, module.__dict__)
        finally:
            sys.modules["__main__"] = real_main
            _take_over(module.__dict__)


def _run_in_users_namespace(path: str, args: list[str], name: str) -> None:
    variables = execute.namespace()
    missing = object()
    before = {key: variables.get(key, missing) for key in ("__name__", "__file__")}
    code = _compile(path)
    with _AsProgram(path, args):
        variables["__name__"], variables["__file__"] = name, os.path.abspath(path)
        try:
            _exec(code, variables)
        finally:
            for key, value in before.items():
                if value is missing:
                    variables.pop(key, None)
                else:
                    variables[key] = value


def _run_module(name: str, args: list[str]) -> None:
    import runpy

    with _AsProgram(name, args, folder=""):
        _take_over(_ending_well(lambda: runpy.run_module(name, run_name="__main__", alter_sys=True)) or {})


def _compile(path: str):
    with open(path, "rb") as file:
        return compile(file.read(), os.path.abspath(path), "exec", dont_inherit=True)


def _exec(code, variables: dict) -> None:
    _ending_well(lambda: exec(code, variables))


def _ending_well(action):
    """sys.exit() ends the script, not the kernel."""
    try:
        return action()
    except SystemExit as end:
        if end.code is not None and end.code != 0:
            raise ScriptExit(f"the script ended with sys.exit({end.code!r})") from None
        return None


def _take_over(names: dict) -> None:
    """The script's names become the user's, also after a failure, to be looked at."""
    own = {name: value for name, value in names.items() if not (name.startswith("__") and name.endswith("__"))}
    execute.namespace().update(own)


class _AsProgram:
    """sys.argv and sys.path as a program started from the command line finds them."""

    def __init__(self, path: str, args: list[str], folder: str | None = None) -> None:
        self._argv = [path, *args]
        self._folder = os.path.dirname(os.path.abspath(path)) if folder is None else folder

    def __enter__(self) -> None:
        self._before = sys.argv
        sys.argv = self._argv
        sys.path.insert(0, self._folder)

    def __exit__(self, *problem: object) -> None:
        sys.argv = self._before
        if self._folder in sys.path:
            sys.path.remove(self._folder)


LINE = {"run": _run}
CELL: dict = {}
