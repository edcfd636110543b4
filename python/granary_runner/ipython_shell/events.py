"""`get_ipython().events`: functions that run before and after each cell."""

from __future__ import annotations

from ..cells import execute

NAMES = ("pre_execute", "pre_run_cell", "post_execute", "post_run_cell", "shell_initialized")


class ExecutionInfo:
    """The cell that is about to run."""

    def __init__(self, raw_cell: str, store_history: bool = True, silent: bool = False, cell_id=None, cell_meta=None) -> None:
        self.raw_cell, self.store_history, self.silent = raw_cell, store_history, silent
        self.transformed_cell = raw_cell
        self.shell_futures = True
        self.cell_id, self.cell_meta = cell_id, cell_meta


class ExecutionResult:
    """The result of a cell."""

    def __init__(self, info: ExecutionInfo, result=None, error: "BaseException | None" = None) -> None:
        self.info = info
        self.execution_count: "int | None" = execute.count()
        self.result = result
        is_about_source = isinstance(error, SyntaxError)
        self.error_before_exec = error if is_about_source else None
        self.error_in_exec = None if is_about_source else error

    @property
    def success(self) -> bool:
        return self.error_before_exec is None and self.error_in_exec is None

    def raise_error(self) -> None:
        """Raise the cell's exception, if any."""
        error = self.error_before_exec or self.error_in_exec
        if error is not None:
            raise error


class EventManager:
    """Functions by the name of their event."""

    def __init__(self, shell) -> None:
        self.shell = shell
        self.callbacks: dict = {name: [] for name in NAMES}

    def register(self, event: str, function) -> None:
        if not callable(function):
            raise TypeError("Need a callable, got %r" % (function,))
        if event not in self.callbacks:
            raise KeyError("There is no event %r; there are %s" % (event, ", ".join(NAMES)))
        if _before not in execute.before_cell:
            execute.before_cell.append(_before)
            execute.after_cell.append(_after)
        if function not in self.callbacks[event]:
            self.callbacks[event].append(function)

    def unregister(self, event: str, function) -> None:
        if function not in self.callbacks[event]:
            raise ValueError("%r is not registered for %s" % (function, event))
        self.callbacks[event].remove(function)

    def trigger(self, event: str, *args) -> None:
        """Call the functions. Reports a failure and calls the others."""
        for function in list(self.callbacks[event]):
            try:
                function(*(args if _takes_arguments(function) else ()))
            except Exception as error:
                from ..cells.errors import print_exception

                print_exception(error)


def _takes_arguments(function) -> bool:
    """Old callbacks take no argument."""
    import inspect

    try:
        return bool(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return True


def _before() -> None:
    events = _events()
    events.trigger("pre_execute")
    events.trigger("pre_run_cell", ExecutionInfo(execute.inputs[-1]))


def _after(problem: "BaseException | None") -> None:
    events = _events()
    events.trigger("post_execute")
    result = execute.outputs.get(execute.count())
    events.trigger("post_run_cell", ExecutionResult(ExecutionInfo(execute.inputs[-1]), result, problem))


def _events() -> EventManager:
    from . import get_ipython

    return get_ipython().events
