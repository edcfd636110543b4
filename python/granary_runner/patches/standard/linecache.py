"""Tracebacks, warnings and inspect read source lines from linecache: add the cells that ran before its import."""

from __future__ import annotations

from ...cells import main_module


def apply(linecache) -> None:
    main_module.fill(linecache)
