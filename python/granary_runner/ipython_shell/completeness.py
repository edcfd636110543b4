"""Whether code is complete: a console asks before it runs typed code."""

from __future__ import annotations

import ast
import codeop
import re
import warnings

from ..cells.compiling import as_python

_INDENT = 4


def completeness(code: str) -> dict:
    """`{"status": "complete"}`, `"invalid"`, or `"incomplete"` with the indentation of the next line."""
    if code.lstrip().startswith("%%"):
        return {"status": "complete"} if code.endswith("\n\n") else {"status": "incomplete", "indent": ""}
    try:
        python = as_python(code, "<input>")
    except SyntaxError:
        python = code
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        status = _status(python)
    if status != "incomplete" and not (status == "complete" and _goes_on(code)):
        return {"status": status}
    last = code.rstrip("\n").rpartition("\n")[2]
    blanks = re.match(r"[ \t]*", last)[0]  # type: ignore[index]
    return {"status": "incomplete", "indent": blanks + (" " * _INDENT if last.rstrip().endswith(":") else "")}


def _status(python: str) -> str:
    try:
        compile(python, "<input>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, True)
        return "complete"
    except (SyntaxError, ValueError, OverflowError):
        pass
    try:
        return "invalid" if codeop.compile_command(python, "<input>", "exec") is not None else "incomplete"
    except (SyntaxError, ValueError, OverflowError):
        return "invalid"


def _goes_on(code: str) -> bool:
    """A block whose last line is code may have more lines; a blank line ends it, as in a console."""
    last = code.rpartition("\n")[2]
    return "\n" in code and last[:1] in (" ", "\t") and last.strip() != ""
