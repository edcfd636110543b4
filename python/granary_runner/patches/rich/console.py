"""`rich.print()` and `Console().print()` in a cell show HTML and text, as in a notebook of Jupyter's.

rich asks for the class of the shell. It must not find ipykernel's, with which others draw widgets.
"""

from __future__ import annotations

import os
import sys


def apply(module) -> None:
    if "granary_runner.program" not in sys.modules:  # a script prints as with Python
        module._is_jupyter = lambda: True
        columns = os.environ.get("COLUMNS", "")
        if columns.isdigit():  # the width that somebody sees; otherwise that of a notebook
            module.JUPYTER_DEFAULT_COLUMNS = int(columns)
