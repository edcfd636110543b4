"""Arrays are as wide as the reader's terminal, if there is one."""

from __future__ import annotations

from .. import terminal


def apply(numpy) -> None:
    if terminal.columns is not None:
        terminal.tell_numpy(numpy)
