"""A program in the `__main__` of a kernel, as `python FILE ARGS`, `python FOLDER ARGS` and `python -m MODULE ARGS` run it.

Jupyter kernels get this file's text, so it imports nothing of ours.
"""

from __future__ import annotations

import os
import sys


class _Told(Exception):
    """Shown by the host in place of the exception itself, with the same name and text."""

    def __init__(self, name: str, message: str, lines: list) -> None:
        super().__init__(message)
        type(self).__name__ = type(self).__qualname__ = name
        self._lines = lines

    def _render_traceback_(self) -> list:  # IPython's name for an exception that describes itself
        return self._lines


def run_file(typed: str, path: str, source: bytes, arguments: list, reads_stdin: bool) -> None:
    """`path` is the file's full path, `typed` is the name for `sys.argv`, `source` is its content."""
    if reads_stdin:
        _read_stdin()
    _set_arguments([typed, *arguments], [typed, *arguments])
    _put_first_on_path(os.path.dirname(os.path.realpath(path)))

    def load(main: dict):
        from importlib.machinery import SourceFileLoader

        loader = SourceFileLoader("__main__", path)
        main.update(__file__=path, __cached__=None, __doc__=None, __package__=None, __spec__=None, __loader__=loader)
        if not os.path.exists(path):  # the kernel runs on another machine
            _remember_lines(path, source)
        _require_encoding(source, path)
        return compile(source, path, "exec", 0, True)

    _run(load)


def run_archive(typed: str, path: str, arguments: list, reads_stdin: bool) -> None:
    """A folder or a zip file with a `__main__.py`. A script that only looks like a zip file runs as a script."""
    if not _is_importable(path):
        with open(path, "rb") as file:
            source = file.read()
        run_file(typed, path, source, arguments, reads_stdin)
        return
    if reads_stdin:
        _read_stdin()
    _set_arguments([typed, *arguments], [typed, *arguments])
    _put_first_on_path(path, even_if_safe=True)

    def load(main: dict):
        import runpy

        try:
            _, spec, code = runpy._get_main_module_details(runpy._Error)
        except runpy._Error as problem:
            raise SystemExit("%s: %s" % (sys.executable, problem)) from None
        _describe_main(main, spec)
        return code

    _run(load)


def _is_importable(path: str) -> bool:
    """Whether Python could import from there: from folders and from zip files."""
    for hook in sys.path_hooks:
        try:
            hook(path)
        except ImportError:
            continue
        return True
    return False


def run_module(name: str, arguments: list, reads_stdin: bool) -> None:
    if reads_stdin:
        _read_stdin()
    _set_arguments(["-m", *arguments], ["-m", name, *arguments])
    _put_first_on_path(os.getcwd())

    def load(main: dict):
        import runpy

        try:
            _, spec, code = runpy._get_module_details(name, runpy._Error)
        except runpy._Error as problem:
            raise SystemExit("%s: %s" % (sys.executable, problem)) from None
        sys.argv[0] = spec.origin
        _describe_main(main, spec)
        return code

    _run(load)


def _describe_main(main: dict, spec) -> None:
    main.update(__file__=spec.origin, __cached__=spec.cached, __doc__=None, __package__=spec.parent)
    main.update(__spec__=spec, __loader__=spec.loader)


def _require_encoding(source: bytes, path: str) -> None:
    """As Python reads a file. `compile()` takes bytes that are not UTF-8 in comments, and has another message elsewhere."""
    try:
        source.decode("utf-8")
        return
    except UnicodeDecodeError as problem:
        place = problem.start
    if source.startswith(b"\xef\xbb\xbf") or _declares_encoding(source):
        return
    line = source.count(b"\n", 0, place) + 1
    page = "https://peps.python.org/pep-0263/" if sys.version_info >= (3, 11) else "https://python.org/dev/peps/pep-0263/"
    said = "Non-UTF-8 code starting with '\\x%02x' in file %s on line %d, but no encoding declared; see %s for details"
    raise SyntaxError(said % (source[place], path, line, page))


def _declares_encoding(source: bytes) -> bool:
    import re

    declaration = rb"[ \t\f]*#.*?coding[:=][ \t]*[-\w.]+"
    first, _, rest = source.partition(b"\n")
    if re.match(declaration, first):
        return True
    return re.match(rb"[ \t\f]*(#|\r?$)", first) is not None and re.match(declaration, rest) is not None


def _read_stdin() -> None:
    """Descriptor 0 is that of the command, and `sys.stdin` reads it. At a terminal, the host still asks for `input()`."""
    if os.isatty(0) or "GRANARY_HIDDEN_TERMINAL" in os.environ:
        return
    import builtins

    def input(prompt="", /):
        """Read a string from standard input. The trailing newline is stripped."""
        print(prompt, end="", flush=True)
        line = sys.stdin.readline()
        if line == "":
            raise EOFError("EOF when reading a line")
        return line[:-1] if line.endswith("\n") else line

    builtins.input = input


def _set_arguments(arguments: list, typed: list) -> None:
    sys.argv[:] = arguments
    original = getattr(sys, "orig_argv", None)  # Python 3.10 and later
    if original is not None:
        original[1:] = typed


def _put_first_on_path(folder: str, even_if_safe: bool = False) -> None:
    """Replaces the working folder, which is only for cells, unless PYTHONPATH has it."""
    if getattr(sys.flags, "safe_path", False) and not even_if_safe:
        return
    wanted = [entry for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry]
    for_cells = ("", os.getcwd())
    sys.path[:] = [folder] + [entry for entry in sys.path if entry not in for_cells or entry in wanted]


def _run(load) -> None:
    main = sys.modules["__main__"].__dict__
    parent = os.getpid()
    running = _running_loop()
    told = None
    try:
        if running is not None:
            running.hide()
        exec(load(main), main)
    except SystemExit as leaving:
        status = _status_of(leaving)
        if os.getpid() != parent:
            _leave_child(SystemExit(status), status)
        if status != 0:
            told = _Told("SystemExit", str(status), [])
    except BaseException as problem:
        lines = _described(problem) + _sandbox_hints(problem)
        if os.getpid() != parent:
            print("\n".join(lines), file=sys.stderr)
            _leave_child(SystemExit(1), 1)
        if not isinstance(problem, SyntaxError):
            problem._render_traceback_ = lambda: lines
            raise
        told = _Told(type(problem).__name__, str(problem), lines)  # for the exception itself, IPython shows frames above the program
    finally:
        if running is not None:
            running.show()
    if os.getpid() != parent:
        _leave_child(SystemExit(), 0)
    if told is not None:
        raise told


def _leave_child(leaving: SystemExit, status: int) -> None:
    """The end of a child made by `os.fork()`. The runner handles it; in a Jupyter kernel the child would become another kernel."""
    if "granary_runner" in sys.modules:
        raise leaving
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def _status_of(leaving: SystemExit) -> int:
    """As in Python: only an integer is a status, of which the system keeps a byte; anything else is printed."""
    code = leaving.code
    if code is None:
        return 0
    if isinstance(code, int):
        return int(code) & 0xFF
    print(code, file=sys.stderr, flush=True)
    return 1


def _described(problem: BaseException) -> list:
    """The lines of the traceback, from the program's first frame on."""
    import traceback

    entry = problem.__traceback__
    while entry is not None and entry.tb_frame.f_code.co_filename == _OWN_FILE:
        entry = entry.tb_next
    if entry is None:  # a program that cannot be compiled
        text = "".join(traceback.format_exception_only(type(problem), problem))
    else:
        try:
            story = traceback.TracebackException(type(problem), problem, entry)
            _hide_our_frames(story)
            text = "".join(story.format())
        except Exception:  # such as for code that was made without its positions
            frames = traceback.StackSummary.extract(traceback.walk_tb(entry)).format()
            text = "Traceback (most recent call last):\n%s%s: %s" % ("".join(frames), type(problem).__name__, problem)
    return text.rstrip("\n").split("\n")


def _sandbox_hints(problem: BaseException) -> list:
    """The sentence that a cell gets. Only the runner works in a sandbox."""
    if "GRANARY_SANDBOX" not in os.environ or "granary_runner" not in sys.modules:
        return []
    try:
        from granary_runner.hints.denied import hint

        found = hint(problem)
    except Exception:  # of the exception's own attributes
        found = None
    return [] if found is None else [found]


def _hide_our_frames(story) -> None:
    seen = set()
    stories = [story]
    for each in stories:
        if each is None or id(each) in seen:
            continue
        seen.add(id(each))
        each.stack[:] = [frame for frame in each.stack if not frame.filename.startswith(_OURS)]
        stories += [each.__cause__, each.__context__, *(getattr(each, "exceptions", None) or ())]


_OWN_FILE = run_file.__code__.co_filename
_OURS = (_OWN_FILE.rpartition("/")[0] + "/", "<granary>")


def _remember_lines(path: str, source: bytes) -> None:
    import linecache
    from importlib.util import decode_source

    try:
        lines = decode_source(source).splitlines(True)
    except (SyntaxError, UnicodeDecodeError):
        return
    linecache.cache[path] = (len(source), None, lines, path)


def _running_loop() -> "_RunningLoop | None":
    asyncio = sys.modules.get("asyncio")
    loop = None if asyncio is None else asyncio._get_running_loop()
    return None if loop is None else _RunningLoop(asyncio, loop)


class _RunningLoop:
    """Hides the event loop on which a Jupyter kernel runs its cells, so that `asyncio.run()` works in a program."""

    def __init__(self, asyncio, loop) -> None:
        self._asyncio = asyncio
        self._loop = loop
        self._policy = self._quietly(asyncio.get_event_loop_policy)

    def hide(self) -> None:
        self._asyncio._set_running_loop(None)
        self._quietly(self._asyncio.set_event_loop_policy, None)

    def show(self) -> None:
        self._quietly(self._asyncio.set_event_loop_policy, self._policy)
        self._asyncio._set_running_loop(self._loop)

    def _quietly(self, function, *arguments):
        import warnings

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # policies are deprecated from Python 3.14 on
            return function(*arguments)
