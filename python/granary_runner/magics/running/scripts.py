"""%run: a Python file or module as a program, or a notebook as its cells."""

from __future__ import annotations

import os
import sys

from ...cells import execute, main_module
from ..call import MagicCall
from ..syntax.options import FLAG, VALUE, Options
from ..syntax.usage_error import UsageError
from .cells_of_files import cells_of
from .timing import Stopwatch

_OPTIONS = {"-i": FLAG, "-n": FLAG, "-m": FLAG, "-e": FLAG, "-t": FLAG, "-p": FLAG, "-l": VALUE, "-s": VALUE, "-G": FLAG}
_USAGE = "[-i] [-n] [-e] [-t] [-p [-l LINES] [-s KEY]] [-G] [-m] file args"
_WRITTEN_AS_CELLS = (".ipynb", ".ipy")


class ScriptExit(Exception):
    """The script called sys.exit() with a failing status."""

    __module__ = "builtins"  # so that tracebacks omit Granary's module path


def _run(call: MagicCall) -> None:
    """Run a file as a program and keep its names: `%run [-i] [-n] [-e] [-t] [-p] file.py args`, `%run -m module args`.

    With -i it starts with your names, with -n its `__name__` is not "__main__", with -e no sys.exit() is a failure, with -t the
    times are printed, and with -p a profile: -l limits its lines, -s is the column to sort by. A notebook (.ipynb) and a script
    with magics (.ipy) always run with your names. Arguments such as *.csv become the names of files, unless they are in quotes
    or -G is given.
    """
    options = Options(call, _OPTIONS, _USAGE, leading=True)
    if not options.rest:
        raise UsageError("%run needs a file, for example: %run script.py --fast")
    profile = _profile(options.given) if "-p" in options else None
    watch = Stopwatch()
    try:
        _run_with(options.given, _program(call, options), _plainly if profile is None else profile.watch)
    except ScriptExit:
        if "-e" not in options:
            raise
    finally:
        if profile is not None:
            profile.report()
    if "-t" in options:
        watch.report()


def _program(call: MagicCall, options: Options) -> list[str]:
    """The file or module, and its arguments."""
    name, *args = options.rest
    if "-m" in options and args[:1] == ["--"]:
        del args[0]
    if "-G" in options:
        return [name, *args]
    from ..files.file_patterns import expanded

    return [name, *expanded(args, call.args)]


def _profile(given: dict):
    from .run_profile import Profile

    return Profile(given.get("-s", "time"), given.get("-l"))


def _plainly(action):
    return action()


def _run_with(flags: dict, words: list[str], perform) -> None:
    """`perform` calls its argument: directly, or under a profiler."""
    if "-m" in flags:
        return _run_module(words[0], words[1:], perform)
    path = _find(words[0])
    name = os.path.splitext(os.path.basename(path))[0] if "-n" in flags else "__main__"
    if path.endswith(_WRITTEN_AS_CELLS):
        return _run_cells(path, words[1:], name, perform)
    if "-i" in flags:
        return _run_in_users_namespace(path, words[1:], name, perform)
    _run_file(path, words[1:], name, perform)


def _find(given: str) -> str:
    path = os.path.expanduser(given)
    if not os.path.isfile(path) and os.path.isfile(path + ".py"):
        path += ".py"
    if not os.path.isfile(path):
        raise FileNotFoundError(f"%run: there is no file {given} in {os.getcwd()}")
    return path


def _run_file(path: str, args: list[str], name: str, perform) -> None:
    """In a fresh `__main__`, put in place while the script runs: pickle and multiprocessing look there."""
    module = type(sys)(name)
    module.__file__ = os.path.abspath(path)
    code = _compile(path)
    real_main = sys.modules["__main__"]
    with _AsProgram(path, args):
        if name == "__main__":
            sys.modules["__main__"] = module
        try:
            _ending_well(lambda: perform(lambda: exec(code, module.__dict__)))
        finally:
            sys.modules["__main__"] = real_main
            _take_over(module.__dict__)


def _run_in_users_namespace(path: str, args: list[str], name: str, perform) -> None:
    code = _compile(path)
    with _AsProgram(path, args), _Named(name, path):
        _ending_well(lambda: perform(lambda: exec(code, execute.namespace())))


def _run_cells(path: str, args: list[str], name: str, perform) -> None:
    """Cell by cell, with magics, until one fails. Shows their prints and displays, but not their results."""
    cells = cells_of(path)

    def run() -> None:
        for file, source in cells:
            main_module.remember(file, source)
            perform(lambda: execute.run_source(source, file, False))

    with _AsProgram(path, args), _Named(name, path):
        _ending_well(run)


def _run_module(name: str, args: list[str], perform) -> None:
    import runpy

    with _AsProgram(name, args, folder=""):
        run = lambda: runpy.run_module(name, run_name="__main__", alter_sys=True)  # noqa: E731
        _take_over(_ending_well(lambda: perform(run)) or {})


def _compile(path: str):
    with open(path, "rb") as file:
        return compile(file.read(), os.path.abspath(path), "exec", dont_inherit=True)


def _ending_well(action):
    """sys.exit() ends the script, not the kernel."""
    try:
        return action()
    except SystemExit as end:
        if end.code is not None and end.code != 0:
            raise ScriptExit(f"the script ended with sys.exit({end.code!r})") from None
        return None


def _take_over(names: dict) -> None:
    """The script's names become the user's, also after a failure, for inspection."""
    own = {name: value for name, value in names.items() if not (name.startswith("__") and name.endswith("__"))}
    execute.namespace().update(own)


class _AsProgram:
    """sys.argv and sys.path as in a program started from the command line."""

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


class _Named:
    """`__name__` and `__file__` of a script, among the user's names while it runs."""

    def __init__(self, name: str, path: str) -> None:
        self._names = {"__name__": name, "__file__": os.path.abspath(path)}

    def __enter__(self) -> None:
        variables = execute.namespace()
        self._before = {key: variables[key] for key in self._names if key in variables}
        variables.update(self._names)

    def __exit__(self, *problem: object) -> None:
        variables = execute.namespace()
        for key in self._names:
            variables.pop(key, None)
        variables.update(self._before)


LINE = {"run": _run}
CELL: dict = {}
