"""Data frames show up to 20 columns as in a notebook, or as many as fit the reader's terminal.

pandas takes us for a terminal, and would cut at an arbitrary width.
"""

from __future__ import annotations

from .. import terminal


def apply(pandas) -> None:
    pandas.set_option("display.max_columns", 20)
    if terminal.columns is not None:
        terminal.tell_pandas(pandas)
