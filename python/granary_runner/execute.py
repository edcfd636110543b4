"""One cell: from its source to `done`."""

from __future__ import annotations

import os
import sys

from . import compiling, emit, forks, interrupt, main_module, streams

_library = sys.path[:]  # where Python's own modules are, whatever a cell does to sys.path
_user: dict = {}
_count = 0
_file = "<cell 0>"
_last: list = []  # the newest results first: _, __, ___
before_cell: list = []  # what runs before each cell of the user's

# Their repr is their only representation, so `formats` need not be loaded for them.
_PLAIN = frozenset((int, float, complex, str, bytes, bool, list, tuple, dict, set, frozenset, range, type(Ellipsis)))


def start(user: dict) -> None:
    global _user
    _user = user


def namespace() -> dict:
    """The user's globals."""
    return _user


def current_file() -> str:
    return _file


def cell(request: dict) -> None:
    """Run one cell and tell the host how it went."""
    global _count, _file
    number = request["id"]
    internal = request.get("internal", False)
    if internal:
        count, _file = None, "<granary>"
    else:
        _count += 1
        count, _file = _count, "<cell %d>" % _count
    emit.cell_id = number
    interrupt.begin(number)
    emit.begin(number)
    frames: list = []
    outcome = "ok"
    problem = None
    try:
        interrupt.raise_pending()
        if len(request) > 3:
            _prepare(request)
        # Keyed by line, it would take a warning in this cell for one in another.
        _user.pop("__warningregistry__", None)
        if before_cell and not internal:
            _call_each(before_cell)
        main_module.remember(_file, request["code"])
        value, shows = _run_source(request["code"], _file, 1, _user)
        if forks.is_child():
            forks.leave(None)
        if shows and value is not None and not internal:
            data, metadata = _present(value)
            _keep(value, count)
            if data:
                frames.append({"t": "result", "id": number, "data": data, "metadata": metadata, "count": count})
        if "matplotlib.pyplot" in sys.modules:
            _show_figures(frames)
    except BaseException as raised:
        problem = raised
    if problem is not None:
        if forks.is_child():
            forks.leave(problem)
        outcome = _outcome(problem)
        if outcome == "interrupted" and "granary_runner.loop" in sys.modules:
            sys.modules["granary_runner.loop"].cancel_interrupted(problem)
        if "matplotlib.pyplot" in sys.modules:
            _after_failure(outcome, frames)
        if outcome != "ok":
            frames.append(_error_frame(number, problem))
        sys.last_type, sys.last_value, sys.last_traceback = type(problem), problem, problem.__traceback__
        problem = None
    interrupt.end()
    emit.end(number, outcome, count, frames)
    emit.cell_id = None
    streams.cell_ended()


def run_source(source, file=None, show_result=True, namespace=None, first_line=1):
    """Run source as part of the current cell, for a magic; returns the value of its last expression."""
    if file is not None and file not in main_module.sources:
        main_module.remember(file, source)
    value, shows = _run_source(source, file or _file, first_line, _user if namespace is None else namespace)
    if show_result and shows and value is not None:
        data, metadata = _present(value)
        _keep(value, _count)
        if data:
            emit.send({"t": "result", "id": emit.cell_id, "data": data, "metadata": metadata, "count": _count})
    return value


def _run_source(source: str, file: str, first_line: int, variables: dict) -> tuple:
    compiled = compiling.compile_cell(source, file, first_line)
    interrupt.raise_pending()
    if compiled.awaits:
        from . import loop

        return loop.run(compiled.parts, variables), compiled.shows
    value = None
    for part in compiled.parts:
        value = _run(part, variables)
    return value, compiled.shows


@interrupt.calls_user_code
def _run(code, variables: dict):
    return eval(code, variables)


@interrupt.calls_user_code
def _call_each(functions: list) -> None:
    for function in functions:
        function()


def _prepare(request: dict) -> None:
    for name, value in request.get("env", {}).items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    if "cwd" in request:
        from . import working_folder

        working_folder.enter(request["cwd"])


@interrupt.calls_user_code
def _present(value) -> "tuple[dict, dict]":
    if type(value) in _PLAIN:
        try:
            return {"text/plain": repr(value)}, {}
        except Exception:
            pass  # something inside has a broken __repr__; formats says so
    from . import formats

    return formats.bundle(value)


def _keep(value, count: "int | None") -> None:
    """`_`, `__`, `___` and `_N`. A `_` that the user has given a meaning of their own is left alone."""
    global _last
    if "_" not in _user or (_last and _user["_"] is _last[0]):
        _last = [value, *_last[:2]]
        _user.update(zip(("_", "__", "___"), _last))
    _user["_%d" % count] = value


def _show_figures(frames: list) -> None:
    from . import display

    if frames:
        emit.send(*frames)
        frames.clear()
    _call_each([display.flush_figures])


def _after_failure(outcome: str, frames: list) -> None:
    """What a failing cell had drawn is shown too, unless drawing is what fails; an interrupted one's is dropped."""
    try:
        if outcome == "interrupted":
            from .formats import matplotlib_figure

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
        return "ok" if problem.code is None or problem.code == 0 else "error"
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


@interrupt.calls_user_code
def _describe(problem: BaseException) -> tuple:
    users = sys.path
    sys.path = users + [folder for folder in _library if folder not in users]  # a cell may have emptied it
    try:
        from . import errors

        return errors.describe(problem)
    finally:
        sys.path = users


def _error_frame(number: int, problem: BaseException) -> dict:
    for _ in range(2):
        try:
            name, message, lines = _describe(problem)
            break
        except BaseException as second:
            # Interrupted while the exception's own code was being asked to describe itself.
            name, message = type(problem).__name__, "<could not be described: %s>" % type(second).__name__
            lines = ["%s: %s" % (name, message)]
    return {"t": "error", "id": number, "name": name, "message": message, "traceback": lines}
