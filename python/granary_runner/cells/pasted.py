"""Pasted code: indented as a whole, or with the prompts of an interactive session.

Every line keeps its number, so that tracebacks point at the line that the user sees.
"""

from __future__ import annotations

import re
from itertools import islice

_CLASSIC = re.compile(r"[ \t]*>>>")
_CLASSIC_LINE = re.compile(r"^[ \t]*(?:>>>|\.\.\.(?= |$)) ?")
_IPYTHON_LINE = re.compile(r"^[ \t]*(?:(?:\[(?:ins|nav)\] ?)?In \[\d+\]|\.{3,}): ?")
_IPYTHON_OUTPUT = re.compile(r"[ \t]*Out ?\[\d+\]:")


def readings(source: str) -> list[str]:
    """Possible forms of the text without prompts and indentation, the likeliest first; empty if it has neither."""
    lines = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    dedented = _dedented(lines)
    found = _without_prompts(dedented or lines)
    # Code may also be indented after its prompts: `>>>     print(1)`.
    found += [inner for inner in map(_dedented, found) if inner is not None]
    if not found and dedented is not None:
        found = [dedented]
    return ["\n".join(reading) for reading in found]


def _without_prompts(lines: list[str]) -> list[list[str]]:
    """Without the prompts; and, for a session pasted with its outputs, without the lines that have no prompt."""
    first_two = list(islice(filter(_is_code, lines), 2))  # the first may have been selected without its prompt
    if first_two and first_two[0].startswith("%%"):
        return []
    if any(map(_CLASSIC.match, first_two[:1])):
        prompt = _CLASSIC_LINE
    elif any(map(_IPYTHON_LINE.match, first_two)):
        prompt = _IPYTHON_LINE
        lines = ["" if _IPYTHON_OUTPUT.match(line) else line for line in lines]
    else:
        return []
    return [
        [prompt.sub("", line, count=1) for line in lines],
        [prompt.sub("", line, count=1) if prompt.match(line) or line is first_two[0] else "" for line in lines],
    ]


def _dedented(lines: list[str]) -> list[str] | None:
    """Without the indentation of the first line of code, if all other code has at least that."""
    first = _first_code(lines)
    indent = first[: len(first) - len(first.lstrip(" \t"))]
    if not indent:
        return None
    if all(line.startswith(indent) for line in lines if _is_code(line)):
        return [_without(indent, line) for line in lines]
    return _dedented_statements(lines, indent)


def _dedented_statements(lines: list[str], indent: str) -> list[str] | None:
    """A continuation line, such as in a long string, may have less indentation."""
    from ..magics.syntax.logical_lines import end_of_logical_line

    result: list[str] = []
    while len(result) < len(lines):
        start = len(result)
        end: int | None = start + 1
        if _is_code(lines[start]):
            if not lines[start].startswith(indent):
                return None
            end = end_of_logical_line(lines, start)
            if end is None:
                return None
        result.append(_without(indent, lines[start]))
        result += lines[start + 1 : end]
    return result


def _without(indent: str, line: str) -> str:
    return line[len(indent) :] if line.startswith(indent) else line


def _first_code(lines: list[str]) -> str:
    return next((line for line in lines if _is_code(line)), "")


def _is_code(line: str) -> bool:
    text = line.lstrip()
    return text != "" and not text.startswith("#")
