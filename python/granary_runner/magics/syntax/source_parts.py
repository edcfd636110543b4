"""Parts of a source text: ranges of lines, and functions and classes by their names."""

from __future__ import annotations

import ast
import re

from .quiet_parse import statements
from .usage_error import UsageError

_RANGE = re.compile(r"(\d*)(?:(-|\.\.|:)(\d*))?$")


def lines(text: str, ranges: str) -> str:
    """`5-10`, `5..10` and `5:11` are the same lines; a limit may be omitted."""
    all_lines = text.splitlines(keepends=True)
    chosen: list[str] = []
    for part in ranges.replace(",", " ").split():
        match = _RANGE.match(part)
        if match is None or not (match[1] or match[2]):
            raise UsageError(f"-r takes lines such as 5-10,20,30: and got: {part}")
        first = int(match[1] or 1)
        if match[2] is None:
            last = first
        elif not match[3]:
            last = len(all_lines)
        else:
            last = int(match[3]) - (match[2] == ":")
        chosen += all_lines[max(first - 1, 0) : last]
    return "".join(chosen)


def definitions(text: str, names: list[str], file: str) -> str:
    """The functions and classes with these names, in their order, with decorators; `Class.method` for a method."""
    body = statements(text)
    if body is None:
        raise UsageError(f"-s looks into Python, and {file} is not Python.")
    all_lines = text.splitlines(keepends=True)
    found = []
    for name in names:
        node = _find(body, name.strip().split("."))
        if node is None:
            raise UsageError(f"There is no function and no class {name.strip()} in {file}.")
        first = min([node.lineno] + [one.lineno for one in node.decorator_list])
        found.append("".join(all_lines[first - 1 : node.end_lineno]))
    return "\n".join(part if part.endswith("\n") else part + "\n" for part in found)


def _find(body: list, path: list[str]):
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    for node in reversed(body):
        if isinstance(node, kinds) and node.name == path[0]:
            return node if len(path) == 1 else _find(node.body, path[1:])
    return None
