"""The cells of a file that was written for IPython: a notebook, or a script with magics."""

from __future__ import annotations

import json
import os

from ..syntax.usage_error import UsageError


def cells_of(path: str) -> list[tuple[str, str]]:
    """The name of each cell for tracebacks, and its source."""
    whole = os.path.abspath(path)
    with open(path, encoding="utf-8-sig") as file:
        text = file.read()
    if not path.endswith(".ipynb"):
        return [(whole, text)]
    try:
        cells = _code_cells(json.loads(text))
    except (ValueError, TypeError, KeyError, AttributeError):
        raise UsageError(f"%run: {path} is not a notebook: it holds no list of cells.") from None
    return [(f"{whole}, cell {number}", source) for number, source in cells]


def _code_cells(notebook: dict) -> list[tuple[int, str]]:
    """Numbered from 1 among all cells. Notebooks of format 3 have them in worksheets, and call the source input."""
    sheets = notebook["worksheets"] if "worksheets" in notebook else [notebook]
    cells = [cell for sheet in sheets for cell in sheet["cells"]]
    return [
        (number, "".join(cell["source"] if "source" in cell else cell["input"]))
        for number, cell in enumerate(cells, 1)
        if cell["cell_type"] == "code"
    ]
