"""Under every child that Python starts without a plain fork: what was printed before it goes out before it."""

from __future__ import annotations

from ...wire import forks


def apply(module) -> None:
    module.fork_exec = forks.flushing(module.fork_exec)
