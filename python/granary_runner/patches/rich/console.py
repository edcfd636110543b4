"""`rich.print()` and `Console().print()` in a cell show HTML and text, as in Jupyter.

rich checks the class of the shell. The class must not be ipykernel's, or other libraries would draw widgets.
"""

from __future__ import annotations

import os
import sys


def apply(module) -> None:
    if "granary_runner.program" not in sys.modules:  # scripts print as in plain Python
        module._is_jupyter = lambda: True
        columns = os.environ.get("COLUMNS", "")
        if columns.isdigit():  # the width of the reader's terminal; otherwise that of a notebook
            module.JUPYTER_DEFAULT_COLUMNS = int(columns)
