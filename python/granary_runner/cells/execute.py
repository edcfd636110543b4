"""One cell: from its source to `done`."""

from __future__ import annotations

import os
import sys

from ..wire import emit, forks, streams
from . import compiling, interrupt, main_module

_library = sys.path[:]  # where Python's own modules are, also after a cell has changed sys.path
_user: dict = {}
_count = 0
_file = "<cell 0>"
_last: list = []  # the newest results first: _, __, ___
_display_failed = False  # in the running cell: there was nothing to show of something
_terminal: dict = {}  # what the user's output is read on; empty when that is no terminal
only_readable = False  # the bundles of the running cell are not stored
may_ask = True  # whether the running cell may call input()
_is_numbered = True  # whether the running cell is in the history
_unnumbered = 0  # cells so far that are not
_prelude = None  # the module, once it is needed
limits = None  # the module, where there are any
_asked_by: tuple = (0, {})  # the last cell that a message of Jupyter's asked for, and its header
line_width = 79  # where a container breaks into lines: as in IPython, or where the terminal ends
before_cell: list = []  # what runs before each cell of the user's
after_cell: list = []  # and after it, with its exception or None
inputs: list = [""]  # `In`: the sources of the cells, by their number
outputs: dict = {}  # `Out`: their results

# Their repr is their only representation, so `formats` need not be loaded for them.
_PLAIN = {int, float, complex, str, bytes, bool, range, type(Ellipsis), type(None)}
_MOST_ITEMS_ON_A_LINE = 40
_KEPT_UNNUMBERED = 200


def start(user: dict) -> None:
    global _user, _file
    _user = user
    _file = "<cell 0>"


def namespace() -> dict:
    """The user's globals."""
    return _user


def current_file() -> str:
    return _file


def count() -> int:
    """The number of the cell that runs, or ran last."""
    return _count


def format_every_value() -> None:
    """Code has asked for another look of values: none is shown by its repr alone any more."""
    _PLAIN.clear()


def cell(request: dict) -> None:
    """Run one cell and tell the host how it went."""
    global _count, _file, _display_failed, _is_numbered, only_readable, may_ask
    number = request["id"]
    internal = request.get("internal", False)
    silent = request.get("silent", False)
    may_ask = request.get("stdin", True)
    _is_numbered = request.get("history", True) and not silent
    if internal:
        count, _file = None, "<granary>"
    elif not _is_numbered:
        count, _file = _count, _unnumbered_file()
    else:
        _count += 1
        count, _file = _count, "<cell %d>" % _count
        inputs.append(request["code"])
    emit.cell_id = number
    interrupt.begin(number)
    emit.begin(number)
    frames: list = []
    outcome = "ok"
    exits = False
    problem = None
    _display_failed = False
    only_readable = "forms" in request
    try:
        interrupt.raise_pending()
        if limits is not None:
            limits.begin_cell()
        if len(request) > 3:
            _prepare(request)
        if (_terminal or "terminal" in request) and not internal and request.get("terminal", {}) != _terminal:
            _use_terminal(request.get("terminal", {}))
        # Keyed by line, it would take a warning in this cell for one in another.
        _user.pop("__warningregistry__", None)
        if before_cell and not (internal or silent):
            _call_each(before_cell)
        if "_i" in request["code"] and not internal:
            _name_inputs(request["code"])
        main_module.remember(_file, request["code"])
        value, shows = _run_source(request["code"], _file, 1, _user)
        if forks.is_child():
            forks.leave(None)
        if shows and value is not None and not (internal or silent):
            frames += _result_frames(value, number, count)
        if "matplotlib.pyplot" in sys.modules:
            _show_figures(frames)
        if "expressions" in request:
            frames.append({"t": "expressions", "id": number, "values": _evaluate(request["expressions"])})
    except BaseException as raised:
        problem = raised
    if limits is not None:
        limits.end_cell(problem)
    if problem is not None:
        if forks.is_child():
            forks.leave(problem)
        outcome = _outcome(problem)
        if outcome == "interrupted" and "granary_runner.cells.loop" in sys.modules:
            sys.modules["granary_runner.cells.loop"].cancel_interrupted(problem)
        exits = outcome == "ok"  # nothing else that is raised ends a cell well
        if "matplotlib.pyplot" in sys.modules:
            _after_failure(outcome, frames)
        if outcome != "ok":
            frames.append(_error_frame(number, problem))
        sys.last_type, sys.last_value, sys.last_traceback = type(problem), problem, problem.__traceback__
    if after_cell and not (internal or silent):
        _call_after(problem if outcome != "ok" else None, frames)
    problem = None
    if _display_failed and outcome == "ok":
        outcome, exits = "error", False
    interrupt.end()
    emit.end(number, outcome, count, frames, exits)
    emit.cell_id = None
    streams.cell_ended()


def _unnumbered_file() -> str:
    """A name for the source of a cell that is not in the history. An editor runs many, so only the last few are kept."""
    global _unnumbered
    _unnumbered += 1
    main_module.forget("<unnumbered cell %d>" % (_unnumbered - _KEPT_UNNUMBERED))
    return "<unnumbered cell %d>" % _unnumbered


@interrupt.calls_user_code
def _evaluate(expressions: dict) -> dict:
    """The value of each expression as a MIME bundle, or its error; at most as much as fits into a frame."""
    from ..ipython_shell import get_ipython

    values = get_ipython().user_expressions(expressions)
    room = emit.INLINE
    for name, value in values.items():
        room -= len(repr(value))
        if room < 0:
            values[name] = {"status": "error", "ename": "ValueError", "evalue": "The value is too large.", "traceback": []}
    return values


def run_source(source, file=None, show_result=True, namespace=None, first_line=1):
    """Run source as part of the current cell, for a magic; returns the value of its last expression, unless a `;` follows."""
    if file is not None and file not in main_module.sources:
        main_module.remember(file, source)
    value, shows = _run_source(source, file or _file, first_line, _user if namespace is None else namespace)
    if show_result and shows:
        show_value(value)
    return value if shows else None


def run_compiled(compiled, show_result: bool):
    """The same for code that is compiled already."""
    value = _run_compiled(compiled, _user)
    if show_result and compiled.shows:
        show_value(value)
    return value if compiled.shows else None


def count_another(source: str) -> str:
    """Give source that runs within this cell a number of its own in `In`; returns the name of its file."""
    global _count
    _count += 1
    inputs.append(source)
    file = "<cell %d>" % _count
    main_module.remember(file, source)
    return file


def show_value(value) -> None:
    """Show a value before the cell has ended, as its result is shown."""
    if value is not None:
        frames = _result_frames(value, emit.cell_id, _count)
        if frames:
            emit.send(*frames)


def _run_source(source: str, file: str, first_line: int, variables: dict) -> tuple:
    compiled = compiling.compile_cell(source, file, first_line)
    return _run_compiled(compiled, variables), compiled.shows


def _run_compiled(compiled, variables: dict):
    interrupt.raise_pending()
    if compiled.awaits:
        from . import loop

        return loop.run(compiled.parts, variables)
    value = None
    for part in compiled.parts:
        value = _run(part, variables)
    return value


@interrupt.calls_user_code
def _run(code, variables: dict):
    return eval(code, variables)


@interrupt.calls_user_code
def _call_each(functions: list) -> None:
    for function in functions:
        function()


def _call_after(problem: "BaseException | None", frames: list) -> None:
    """The cell has ended as it has: what goes wrong here is only printed."""
    if frames:
        emit.send(*frames)
        frames.clear()
    try:
        _call_each([lambda function=function: function(problem) for function in after_cell])
    except BaseException as second:
        from .errors import print_exception

        print_exception(second)


def _name_inputs(source: str) -> None:
    """`_i`, `_ii`, `_iii` and `_iN`, for a cell that names them: most never do."""
    for name in _input_names(source):
        digits = name[2:]
        number = int(digits) if digits.isdigit() else len(inputs) - 1 - len(name[1:])
        is_known = name not in _user or _user[name] is _named_inputs.get(name)
        if is_known and (0 < number < len(inputs) or not digits.isdigit()):
            _user[name] = _named_inputs[name] = inputs[max(number, 0)]


def _input_names(source: str) -> set:
    """Without `re`, whose import takes longer than all else in a short run: `__import__` and `_index` have an `_i` as well."""
    found = set()
    at = source.find("_i")
    while at >= 0:
        end = at + 2
        while end < len(source) and _is_part_of_name(source[end]):
            end += 1
        ending = source[at + 2 : end]
        is_input = ending in ("", "i", "ii") or ending.isdecimal()
        if is_input and not (at > 0 and _is_part_of_name(source[at - 1])):
            found.add(source[at:end])
        at = source.find("_i", end)
    return found


def _is_part_of_name(character: str) -> bool:
    return character == "_" or character.isalnum()


_named_inputs: dict = {}  # as we have set them; one that the user has given a meaning of their own is left alone


def _prepare(request: dict) -> None:
    global _asked_by
    for name, value in request.get("env", {}).items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    if "cwd" in request:
        from .. import working_folder

        working_folder.enter(request["cwd"])
    if "bootstrap" in request:
        _bootstrap(request["bootstrap"])
    if "parent" in request:
        _asked_by = (request["id"], request["parent"])
    if "comm" in request:
        _take_comm(request)


@interrupt.calls_user_code
def _bootstrap(given: dict) -> None:
    """In place of code. The import is kept: in a forked kernel, each would copy pages that it shares."""
    global _prelude
    if _prelude is None:
        from .. import prelude as _prelude
    _prelude.start(given)


def parent_header() -> dict:
    """The header of the message of Jupyter's that asked for the running cell, or for the last one; empty if none did."""
    cell, header = _asked_by
    return header if header and emit.cell_id in (None, cell) else {}


def _take_comm(request: dict) -> None:
    """In place of code: the output of widgets is laid out as in a notebook."""
    from ..comms.delivery import deliver

    if _terminal:
        _use_terminal({})
    deliver(request["comm"], request.get("parent", {}))


def _use_terminal(wanted: dict) -> None:
    """Another width than for the cell before: it is known before anything is laid out."""
    global _terminal, line_width
    from .. import terminal

    _terminal = wanted
    line_width = min(wanted.get("columns", 79), 79)
    terminal.use(wanted.get("columns"), wanted.get("colors", 0))


def _result_frames(value, number: "int | None", count: "int | None") -> list:
    """What to show of a result. Where one of its forms fails, so does the cell, and the others are shown all the same."""
    failures: list = []
    data, metadata, line = _present(value, failures)
    _keep(value, count)
    frames = [_failure_frame(failures[0])] if failures else []
    if data:
        frame = {"t": "result", "id": number, "data": data, "metadata": metadata, "count": count}
        if line is not None:
            frame["line"] = line
        frames.append(frame)
    return frames


@interrupt.calls_user_code
def _present(value, failures: list) -> "tuple[dict, dict, str | None]":
    """The bundle and, where a container's text has several lines, its repr."""
    if type(value) in _PLAIN or (type(value) in (list, tuple, dict) and _is_one_line(value)):
        return {"text/plain": repr(value)}, {}, None
    from .. import formats

    data, metadata = formats.bundle(value, failures=failures, only_readable=only_readable)
    return data, metadata, formats.one_line(value, data)


def _is_one_line(value) -> bool:
    """Whether a container looks like its repr: it is short and holds only what is."""
    if len(value) > _MOST_ITEMS_ON_A_LINE:
        return False
    for item in value:
        if type(item) not in _PLAIN or (type(value) is dict and type(value[item]) not in _PLAIN):
            return False
    return len(repr(value)) <= line_width


def display_failed(error: Exception, shows_something: bool) -> None:
    """A form of something displayed has failed. The cell continues, as in Jupyter; with nothing to show, it has failed."""
    if shows_something or emit.cell_id is None:
        from .errors import print_exception

        print_exception(error)
    else:
        emit.send(_failure_frame(error))


def _failure_frame(error: Exception) -> dict:
    global _display_failed
    _display_failed = True
    sys.last_type, sys.last_value, sys.last_traceback = type(error), error, error.__traceback__
    return _error_frame(emit.cell_id, error)


def _keep(value, count: "int | None") -> None:
    """`_`, `__`, `___` and `_N`. A `_` that the user has given a meaning of their own is left alone."""
    global _last
    if "_" not in _user or (_last and _user["_"] is _last[0]):
        _last = [value, *_last[:2]]
        _user.update(zip(("_", "__", "___"), _last))
    if _is_numbered:
        _user["_%d" % count] = outputs[count] = value


def forget_results() -> int:
    """Delete `_`, `__`, `___` and every `_N`, and say how many there were; a `_` of the user's own stays."""
    names = [name for name, value in zip(("_", "__", "___"), _last) if _user.get(name) is value]
    numbered = ["_%d" % number for number in range(1, _count + 1) if "_%d" % number in _user]
    for name in names + numbered:
        del _user[name]
    _last.clear()
    outputs.clear()
    return len(numbered)


def forget_result(value) -> None:
    """Delete one value from `Out` and from `_`, `__` and `___`."""
    for number in [number for number, kept in outputs.items() if kept is value]:
        del outputs[number]
    _last[:] = [kept for kept in _last if kept is not value]


def forget_inputs() -> int:
    """Empty `In`, keeping its numbers, and say how many cells it held."""
    count = len(inputs) - 1
    inputs[1:] = [""] * count
    for name, source in _named_inputs.items():
        if _user.get(name) is source:
            del _user[name]
    _named_inputs.clear()
    return count


def _show_figures(frames: list) -> None:
    from .. import display

    if frames:
        emit.send(*frames)
        frames.clear()
    _call_each([display.flush_figures])


def _after_failure(outcome: str, frames: list) -> None:
    """Show the figures of a failing cell, unless drawing itself fails; drop those of an interrupted one."""
    try:
        if outcome == "interrupted":
            from ..formats import matplotlib_figure

            matplotlib_figure.close_figures()
        else:
            _show_figures(frames)
    except BaseException:
        pass


def _outcome(problem: BaseException) -> str:
    if _is_interrupt(problem):
        return "interrupted"
    if isinstance(problem, SystemExit):
        if sys.__stdin__.closed:  # exit() closes it
            streams.open_stdin()
        return "ok" if _means_success(problem) else "error"
    return "error"


def _is_interrupt(problem: BaseException) -> bool:
    """Also one that comes in a group, as trio raises it."""
    problems = [problem]
    for each in problems:
        if isinstance(each, KeyboardInterrupt):
            return True
        if any(kind.__name__ == "BaseExceptionGroup" for kind in type(each).__mro__):
            problems.extend(each.exceptions)
    return False


def _means_success(leaving: SystemExit) -> bool:
    """As Python ends: with None or an integer of 0. Everything else is printed, and fails, even if it equals 0."""
    try:
        return leaving.code is None or (isinstance(leaving.code, int) and int.__eq__(leaving.code, 0))
    except BaseException:  # a subclass may have a code of its own making
        return False


def with_library(function, *arguments):
    """Call a function that imports modules of Python's own: a cell may have emptied `sys.path`."""
    users = sys.path
    sys.path = users + [folder for folder in _library if folder not in users]
    try:
        return function(*arguments)
    finally:
        sys.path = users


@interrupt.calls_user_code
def _describe(problem: BaseException) -> tuple:
    from . import errors

    return errors.describe(problem)


def _error_frame(number: int, problem: BaseException) -> dict:
    for _ in range(2):
        try:
            name, message, lines = with_library(_describe, problem)
            break
        except BaseException as second:
            # Interrupted while the exception's own code was being asked to describe itself.
            name, message = type(problem).__name__, "<could not be described: %s>" % type(second).__name__
            lines = ["%s: %s" % (name, message)]
    return {"t": "error", "id": number, "name": name, "message": message, "traceback": lines}
