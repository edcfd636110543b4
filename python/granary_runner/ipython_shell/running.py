"""`get_ipython().run_cell()`: a cell within the running cell."""

from __future__ import annotations

import sys

from ..cells import compiling, execute, main_module
from .events import ExecutionInfo, ExecutionResult


def run_cell(shell, info: ExecutionInfo) -> ExecutionResult:
    """Run source as a cell. Prints its exception and keeps it in the result; a silent cell is neither shown nor counted."""
    result = ExecutionResult(info)
    if not info.raw_cell or info.raw_cell.isspace():
        result.execution_count = None
        return _ended(shell, result)
    with _Events(shell, result):
        compiled = _compiled(shell, result)
        if compiled is not None:
            try:
                value = execute.run_compiled(compiled, not info.silent)
                result.result = None if info.silent else value
            except Exception as error:
                result.error_in_exec = _shown(shell, info, error)
    return _ended(shell, result)


async def run_cell_async(shell, info: ExecutionInfo) -> ExecutionResult:
    """The same for a caller that awaits: the cell's own `await` runs on the caller's loop."""
    from ..cells.loop import run_parts

    result = ExecutionResult(info)
    with _Events(shell, result):
        compiled = _compiled(shell, result)
        if compiled is not None:
            try:
                value = await run_parts(compiled.parts, execute.namespace())
                if compiled.shows and not info.silent:
                    result.result = value
                    execute.show_value(value)
            except Exception as error:
                result.error_in_exec = _shown(shell, info, error)
    return _ended(shell, result)


def _compiled(shell, result: ExecutionResult):
    info = result.info
    if info.store_history:
        file = execute.count_another(info.raw_cell)
        result.execution_count = execute.count()
    else:
        file = _own_file(info.raw_cell)
    try:
        return compiling.compile_cell(info.raw_cell, file)
    except Exception as error:  # the user's transformer may raise anything
        result.error_before_exec = _shown(shell, info, error)
        return None


_files: dict = {}  # source -> its file name


def _own_file(source: str) -> str:
    """Not the file of the cell that runs: a traceback would show lines of that cell."""
    if source not in _files:
        _files[source] = "<run_cell %d>" % (len(_files) + 1)
        main_module.remember(_files[source], source)
    return _files[source]


def _shown(shell, info: ExecutionInfo, error: Exception) -> Exception:
    sys.last_type, sys.last_value, sys.last_traceback = type(error), error, error.__traceback__
    if shell.is_custom(error):
        shell.handle_custom(error)
    elif not info.silent:
        shell.showtraceback((type(error), error, error.__traceback__))
    return error


class _Events:
    """Calls the callbacks before and after a cell; for a silent one only `pre_execute` and `post_execute`."""

    def __init__(self, shell, result: ExecutionResult) -> None:
        self._events, self._result = shell.events, result

    def __enter__(self) -> None:
        self._events.trigger("pre_execute")
        if not self._result.info.silent:
            self._events.trigger("pre_run_cell", self._result.info)

    def __exit__(self, *problem: object) -> None:
        self._events.trigger("post_execute")
        if not self._result.info.silent:
            self._events.trigger("post_run_cell", self._result)


def _ended(shell, result: ExecutionResult) -> ExecutionResult:
    shell.last_execution_succeeded, shell.last_execution_result = result.success, result
    return result
