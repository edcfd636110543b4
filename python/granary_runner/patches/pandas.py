"""Data frames show up to 20 columns as in a notebook; pandas takes us for a terminal and would cut at its width."""

from __future__ import annotations


def apply(pandas) -> None:
    pandas.set_option("display.max_columns", 20)
