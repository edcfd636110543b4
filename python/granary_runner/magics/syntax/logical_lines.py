"""The end of a logical line of Python."""

from __future__ import annotations

import re
import tokenize

from .quiet_parse import statements

# No string, bracket, comment or backslash: this line cannot continue in the next one.
_STANDS_ALONE = re.compile(r"[^'\"()\[\]{}\\#]*$")
_LONG = 2000


def end_of_logical_line(lines: list[str], start: int) -> int | None:
    """The index after the logical line that starts here; None if the tokenizer fails."""
    first = lines[start]
    if _STANDS_ALONE.match(first) or _is_comment(first) or _is_long_statement(first):
        return start + 1
    following = iter(range(start, len(lines)))

    def next_line() -> str:
        number = next(following, None)
        return "" if number is None else lines[number] + "\n"

    try:
        for token in tokenize.generate_tokens(next_line):
            if token.type == tokenize.NEWLINE:
                return start + token.start[0]
    except (tokenize.TokenError, SyntaxError):  # which of the two depends on the Python version
        return None
    return len(lines)


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("#")


def _is_long_statement(line: str) -> bool:
    """Data in one very long line: the tokenizer of Python 3.12.0–3.12.3 takes quadratic time for it, the parser does not."""
    return len(line) >= _LONG and statements(line.lstrip()) is not None
