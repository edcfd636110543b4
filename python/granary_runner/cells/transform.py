"""`!cmd`, `%magic`, `x = !cmd`, `%%cell` and `obj?` become calls on `__granary__`.

Called only for cells that Python itself refuses, so valid Python is never changed. Walks from one logical line to the
next, as Python's tokenizer sees them: a magic counts at the start of a logical line, never inside a string or on a
continuation line. Every magic becomes exactly one line, so line numbers do not change.
"""

from __future__ import annotations

from ..magics.syntax import forms
from ..magics.syntax.logical_lines import end_of_logical_line


def rewrite(source: str) -> str | None:
    """The cell as plain Python, or None when there is nothing to rewrite."""
    lines = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    cell_magic = _cell_magic(lines, source)
    if cell_magic is not None:
        return cell_magic
    rewritten = _rewrite_lines(lines)
    return None if rewritten == lines else "\n".join(rewritten)


def _cell_magic(lines: list[str], source: str) -> str | None:
    """A cell whose first line, apart from blank lines and comments, starts with `%%`."""
    for number, line in enumerate(lines):
        call = forms.cell_magic(line)
        if call is not None:
            name, args = call
            body = _text_after_line(source, number)
            if body and not body.endswith("\n"):
                body += "\n"  # as in IPython: `%%html` stores it
            return "\n" * number + f"__granary__.cell({name!r}, {args!r}, {body!r}, {number + 2})"
        if line.strip() and not line.lstrip().startswith("#"):
            return None
    return None


def _text_after_line(source: str, number: int) -> str:
    """The text after that line, unchanged: `%%writefile` writes it as it is."""
    for _ in range(number + 1):
        _, found, source = source.partition("\n")
        if not found:
            return ""
    return source


def _rewrite_lines(lines: list[str]) -> list[str]:
    result: list[str] = []
    while len(result) < len(lines):
        start = len(result)
        line = lines[start]
        if forms.cell_magic(line) is not None:
            return _misplaced_cell_magic(start, line)
        magic = forms.line_magic(lines, start)
        if magic is not None:
            python, end = magic
            result.append(python)
            result.extend([""] * (end - start - 1))
            continue
        end = end_of_logical_line(lines, start)
        asked = forms.help_at_end(lines[: end or len(lines)], start) if end != start + 1 else None
        if asked is not None:
            python, end = asked
            result.append(python)
            result.extend([""] * (end - start - 1))
        elif end is None:  # not Python from here on: let Python report it
            result.extend(lines[start:])
        else:
            result.extend(lines[start:end])
    return result


def _misplaced_cell_magic(number: int, line: str) -> list[str]:
    """Such a cell does not run at all: the text after the magic is usually not Python."""
    name, _ = forms.cell_magic(line) or ("", "")
    return [""] * number + [f"__granary__.misplaced_cell_magic({name!r})"]
