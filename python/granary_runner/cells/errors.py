"""An exception for people: with the cell's own frames, without Granary's."""

from __future__ import annotations

import os
import sys
import traceback

from . import interrupted_at
from .main_module import sources

mode = "Context"  # set by %xmode
_LONGEST_VALUE = 200
_NO_STACK = ("can't start new thread",)  # also where the memory limit leaves no room for its stack
OURS = (__file__.rpartition("/cells/")[0] + "/", "<granary>")  # our files, and the prelude's


def describe(problem: BaseException) -> "tuple[str, str, list]":
    """Name, message, and the lines of the traceback."""
    name, message = type(problem).__name__, _message(problem)
    start = from_the_cell_on(problem.__traceback__)
    hidden = (*OURS, *_files_of_debugger()) if isinstance(problem, KeyboardInterrupt) else OURS
    try:
        own = _described_by_itself(problem)
        if own is not None:
            return name, message, own
        if mode == "Context":
            lines = interrupted_at.traceback_lines(problem, start, hidden)
            if lines is not None:
                return name, "", lines
        lines = _told_by_python(problem, start, hidden)
    except Exception as second:  # of the exception's own code, or of Python's formatter
        why = "  [without positions and causes: %s: %s]" % (type(second).__name__, _message(second))
        heading, *frames = interrupted_at.plain_lines(start, hidden)
        lines = [heading, why, *frames, "%s: %s" % (name, message)]
    return name, message, lines + _hints(problem)


def _told_by_python(problem: BaseException, start, hidden: tuple) -> "list[str]":
    story = traceback.TracebackException(type(problem), problem, start)
    if mode == "Verbose":
        _add_variables(story.stack, start)
    if (3, 10) <= sys.version_info < (3, 12):
        _add_suggestions(story, problem)
    _hide_frames(story, hidden, set())
    # sys.exit() is a wish and no failure of a line. IPython shows no traceback of it either.
    is_short = mode == "Minimal" or isinstance(problem, SystemExit)
    text = story.format_exception_only() if is_short else story.format()
    return "".join(text).rstrip("\n").split("\n")


def _hints(problem: BaseException) -> "list[str]":
    try:
        found = _hint(problem)
    except Exception:  # of the exception's own attributes
        found = None
    return [] if found is None else [found]


def _hint(problem: BaseException) -> "str | None":
    if isinstance(problem, ImportError):
        from ..hints.missing_module import hint
    elif type(problem) in (SyntaxError, NameError):
        from ..hints.command_hints import hint
    elif isinstance(problem, MemoryError) or (type(problem) is RuntimeError and problem.args == _NO_STACK):
        from ..limits import hint
    elif "GRANARY_SANDBOX" in os.environ:
        from ..hints.denied import hint
    else:
        return None
    return hint(problem)


def _add_suggestions(story, problem: BaseException) -> None:
    """Only exceptions that may have one pay for the import."""
    if isinstance(problem, (NameError, AttributeError)) or problem.__context__ is not None:
        from ..hints.suggestions import add_to

        add_to(story, problem)


def _add_variables(stack, entry) -> None:
    """The local variables of functions, read without running their code, because a repr may be what fails."""
    from ..values.sketches import sketch

    for frame, (running, _) in zip(stack, traceback.walk_tb(entry)):
        if running.f_locals is not running.f_globals:
            names = [name for name in running.f_code.co_varnames if name in running.f_locals]
            frame.locals = {name: sketch(running.f_locals[name], _LONGEST_VALUE) for name in names}


def _described_by_itself(problem: BaseException) -> "list | None":
    """IPython's `_render_traceback_`, looked up without the exception's own `__getattr__`."""
    known = "_render_traceback_" in vars(problem) or hasattr(type(problem), "_render_traceback_")
    lines = problem._render_traceback_() if known else None
    return None if lines is None else [str(line) for line in lines]


def print_exception(problem: BaseException) -> None:
    """To stderr, for exceptions that end something other than the cell."""
    print("\n".join(describe(problem)[2]), file=sys.stderr)


def from_the_cell_on(entry):
    """The traceback without the frames above the cell: our own callers, and the event loop of an `await`."""
    start = entry
    while entry is not None and entry.tb_frame.f_code.co_filename not in sources:
        if entry.tb_frame.f_code.co_filename.startswith(OURS):
            start = entry.tb_next
        entry = entry.tb_next
    return start


def _message(problem: BaseException) -> str:
    try:
        return str(problem)
    except Exception:
        return "<exception str() failed>"


def _files_of_debugger() -> "list[str]":
    """Ctrl-C in a debugger interrupts the code, and not the debugger."""
    return [sys.modules[name].__file__ for name in ("pdb", "bdb", "cmd") if name in sys.modules]


def _hide_frames(story: "traceback.TracebackException | None", files: tuple, seen: set) -> None:
    if story is None or id(story) in seen:
        return
    seen.add(id(story))
    story.stack[:] = [frame for frame in story.stack if not frame.filename.startswith(files)]
    _hide_frames(story.__cause__, files, seen)
    _hide_frames(story.__context__, files, seen)
    for member in getattr(story, "exceptions", None) or ():
        _hide_frames(member, files, seen)
