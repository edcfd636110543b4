"""Used by every child that Python starts without a plain fork: flush earlier prints before the child starts."""

from __future__ import annotations

from ...wire import forks


def apply(module) -> None:
    module.fork_exec = forks.flushing(module.fork_exec)
