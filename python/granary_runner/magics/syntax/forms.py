"""The written forms of magics, and the Python code of each."""

from __future__ import annotations

import ast
import re
from itertools import islice

from ...questions.subscripts import SUBJECT
from .quiet_parse import statements

_NAME = r"[^\W\d]\w*"
_CELL_MAGIC = re.compile(rf"%%({_NAME})(?!\w|\?)(.*)")
_LINE_MAGIC = re.compile(rf"(\s*)%({_NAME})(.*)")
_SYSTEM = re.compile(r"(\s*)(!!?)(?!=)(.*)")
_PATTERN = r"%{0,2}[\w.]*\*[\w.*]*"
_SUBJECT = rf"(?:%{{1,2}}{_NAME}|{SUBJECT}|{_PATTERN})"
_HELP_AFTER = re.compile(rf"(\s*)({_SUBJECT})(\?\??)\s*;?\s*(?:#.*)?$")
_HELP_AT_END = re.compile(rf"([^#]*[^#\w.])({SUBJECT})(\?\??)$")
_SUBJECT_ASKED = re.compile(rf"(?<![\w.])({SUBJECT})(\?\??)$")
_HELP_BEFORE = re.compile(rf"(\s*)(\?\??)\s*({_SUBJECT}|)\s*;?\s*(?:#.*)?$")
_ASSIGNED = re.compile(rf"=\s*(?=!|%{_NAME})")
_ASSIGNMENTS = (ast.Assign, ast.AugAssign, ast.AnnAssign)
_LONGEST_WITH_HELP = 1000
_MOST_LINES = 50
_FEW = 8  # equal signs to try per line: a line of data may have thousands


def cell_magic(line: str) -> tuple[str, str] | None:
    """Name and arguments of `%%name args`."""
    match = _CELL_MAGIC.match(line)
    return None if match is None else (match[1], match[2].strip())


def line_magic(lines: list[str], start: int) -> tuple[str, int] | None:
    """The Python for a magic that starts at this line, and the index after its last line."""
    python = _help(lines[start])
    if python is not None:
        return python, start + 1
    if not _starts_magic(lines[start]):
        return None
    text, end = _join_continued(lines, start)
    python = _statement(text) or _assignment(text)
    return None if python is None else (python, end)


def _help(line: str) -> str | None:
    if "?" not in line:
        return None
    after, before, within = _HELP_AFTER.match(line), _HELP_BEFORE.match(line), _help_within(line)
    if after is not None:
        indent, subject, marks = after.groups()
    elif before is not None:
        indent, marks, subject = before.groups()
    elif within is not None:
        indent, subject, marks = within
    else:
        return None
    return f"{indent}__granary__.help({subject!r}, {len(marks) - 1})"


def _help_within(line: str) -> tuple[str, str, str] | None:
    """`a = b + c?` asks about c; without the question mark the line must be Python."""
    text = line.strip()
    match = _HELP_AT_END.match(text) if text.endswith("?") and len(text) <= _LONGEST_WITH_HELP else None
    if match is None or statements(match[1] + match[2]) is None:
        return None
    return line[: len(line) - len(line.lstrip())], match[2], match[3]


def help_at_end(lines: list[str], start: int) -> tuple[str, int] | None:
    """The same for a statement of several lines: `(a,` and below it `b) = zip?`."""
    for end in range(start + 1, min(start + _MOST_LINES, len(lines))):
        match = _SUBJECT_ASKED.search(lines[end].rstrip())
        if match is None or "#" in lines[end]:
            continue
        indent = lines[start][: len(lines[start]) - len(lines[start].lstrip())]
        text = "\n".join([lines[start].lstrip(), *lines[start + 1 : end], lines[end][: match.end(1)]])
        body = statements(text)
        if body is not None and len(body) == 1:
            return f"{indent}__granary__.help({match[1]!r}, {len(match[2]) - 1})", end + 1
    return None


def _starts_magic(line: str) -> bool:
    return line.lstrip().startswith(("!", "%")) or _assignment(line) is not None


def _join_continued(lines: list[str], start: int) -> tuple[str, int]:
    """Lines that end in a backslash, joined by a space."""
    parts = []
    for end in range(start, len(lines)):
        line = lines[end].rstrip()
        backslashes = len(line) - len(line.rstrip("\\"))
        if backslashes % 2 == 0 or end + 1 == len(lines):
            parts.append(line)
            break
        parts.append(line[:-1].rstrip())
    return " ".join([parts[0]] + [part.strip() for part in parts[1:]]), end + 1


def _statement(text: str) -> str | None:
    match = _SYSTEM.match(text)
    if match is not None:
        indent, marks, command = match.groups()
        method = "capture" if marks == "!!" else "system"
        return f"{indent}__granary__.{method}({command.strip()!r})"
    match = _LINE_MAGIC.match(text)
    if match is not None:
        indent, name, args = match.groups()
        return f"{indent}__granary__.line({name!r}, {args.strip()!r})"
    return None


def _assignment(text: str) -> str | None:
    """`targets = !cmd` or `targets = %magic`, where the part before it is an assignment by itself."""
    for match in islice(_ASSIGNED.finditer(text), _FEW):
        targets, magic = text[: match.end()], text[match.end() :]
        if not _assigns(targets):
            continue
        if magic.startswith("!"):
            return f"{targets}__granary__.capture({magic.lstrip('!').strip()!r})"
        return targets + (_statement(magic) or "")
    return None


def _assigns(targets: str) -> bool:
    """Whether a value after this text would be assigned; false inside a string or a comment."""
    body = statements(targets.lstrip() + "__granary__") or [None]
    value = getattr(body[0], "value", None)
    is_ours = isinstance(value, ast.Name) and value.id == "__granary__"
    return is_ours and len(body) == 1 and isinstance(body[0], _ASSIGNMENTS)
