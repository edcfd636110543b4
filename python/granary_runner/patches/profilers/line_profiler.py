"""Shows the lines of functions of cells, as in Jupyter."""

from __future__ import annotations

from ...cells.main_module import sources

_QUESTIONS = ("is_generated_code", "is_ipython_kernel_cell")  # the names since 4.1, and before


def apply(line_profiler) -> None:
    for name in _QUESTIONS:
        original = getattr(line_profiler, name, None)
        if original is not None:
            setattr(line_profiler, name, lambda filename, ask=original: filename in sources or ask(filename))
