"""Data frames show up to 20 columns as in a notebook, or as many as the terminal has room for that they are read on.

pandas takes us for a terminal, and would cut at a width that it has made up.
"""

from __future__ import annotations

from .. import terminal


def apply(pandas) -> None:
    pandas.set_option("display.max_columns", 20)
    if terminal.columns is not None:
        terminal.tell_pandas(pandas)
