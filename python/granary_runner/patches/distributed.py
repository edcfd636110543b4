"""`distributed.progress()` draws with browser widgets where it finds a kernel, which nobody could see here: it gets the text bar."""

from __future__ import annotations


def apply(utils) -> None:
    utils.is_kernel = lambda: False
