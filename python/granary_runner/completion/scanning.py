"""The context of the cursor: open strings, brackets and f-string fields, and the tokens before it.

The code is unfinished, and Python's own tokenizer treats unfinished code differently from version to version, so it is
not used. The scan skips command lines (`!ls`, `%run x`, `y = !ls`) with all their quotes and brackets.
"""

from __future__ import annotations

import keyword
import re

_PIECE = re.compile(
    r"""(?P<space>[ \t\f]+|\\(?:\r\n|\r|\n))
    |(?P<newline>\r\n|\r|\n)
    |(?P<comment>\#[^\r\n]*)
    |(?P<string>[rRbBuUfFtT]{0,2}(?:'''|\"\"\"|'|"))
    |(?P<name>[^\W\d]\w*)
    |(?P<number>0[xXoObB][\da-fA-F_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?[jJ]?)
    |(?P<mark>==|!=|<=|>=|:=|->|[\s\S])""",
    re.VERBOSE,
)
_COMMAND = re.compile(r"(?:[^\\\r\n]|\\(?:\r\n|[\s\S]))*\\?")
_IN_STRING = re.compile(r"\\(?:\r\n|[\s\S])?|'''|\"\"\"|['\"\r\n{}]")
_CONVERSION = re.compile(r"![a-z]?(?=[:}])")
_CLOSED_BY = {")": "(", "]": "[", "}": "{"}
_OPERANDS = ("None", "True", "False")
_LONGEST = 100_000  # characters read before the cursor: the next cell waits for the answer


def near_cursor(code: str, cursor: int) -> "tuple[str, int]":
    """The code without lines far above the cursor, and the cursor's new position."""
    if cursor <= _LONGEST:
        return code, cursor
    start = code.find("\n", cursor - _LONGEST, cursor) + 1 or cursor - _LONGEST
    return code[start:], cursor - start


class Token:
    __slots__ = ("kind", "text", "start", "end")

    def __init__(self, kind: str, text: str, start: int, end: int) -> None:
        self.kind = kind  # name, number, string, mark; field is the brace before an expression in an f-string
        self.text = text  # empty for strings
        self.start = start
        self.end = end


class OpenString:
    """A string without an end before the cursor."""

    __slots__ = ("prefix", "quote", "start", "first_token", "is_format")

    def __init__(self, opening: str, start: int, first_token: int, is_format: bool = False) -> None:
        self.prefix = opening.rstrip("'\"").lower()
        self.quote = opening[len(self.prefix) :]
        self.start = start  # behind the quote
        self.first_token = first_token  # of those inside its fields
        self.is_format = is_format  # the `:>10` of a field, up to the field's end

    @property
    def has_fields(self) -> bool:
        return "f" in self.prefix or "t" in self.prefix


class Scan:
    """The code before the cursor; `tokens` are those of the statement the cursor is in."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.tokens: list[Token] = []
        self.open: list[int] = []  # open brackets, as positions in `tokens`
        self.string: OpenString | None = None
        self.in_comment = False
        self.command: int | None = None  # the position of `!` or `%`, if the cursor is in a command line
        self.lines: list[list[Token]] = []  # the statements before that of the cursor
        self._around: list = []  # f-strings around the cursor; an int is a field: the number of brackets open before it
        self._read()

    def statement(self) -> str:
        """From the statement's first token to the cursor; a semicolon or a colon may precede it."""
        start = 0
        for position, token in enumerate(self.tokens):
            if token.text in (";", ":") and token.kind == "mark" and not any(at < position for at in self.open):
                start = position + 1
        return self.code[self.tokens[start].start :] if start < len(self.tokens) else ""

    def primary_before(self, end: int) -> "str | None":
        """The text of the operand that ends before token `end`, with its attributes, indexes and calls: `a.b[0].c`."""
        first = end
        while True:
            first = self._operand_before(first)
            if first is None:
                return None
            if first < 2 or not self._is_mark(first - 1, "."):
                return self.code[self.tokens[first].start : self.tokens[end - 1].end]
            first -= 1

    def callee_before(self, end: int) -> "str | None":
        """The function called by the brackets that end before token `end`."""
        opening = self._opener(end - 1)
        return None if opening is None else self.primary_before(opening)

    def _operand_before(self, end: int) -> "int | None":
        """The start of a name, a literal or a group, with its brackets."""
        at = end - 1
        while at >= 0 and self.tokens[at].kind == "mark" and self.tokens[at].text in _CLOSED_BY:
            closing = self.tokens[at].text
            at = self._opener(at)
            if at is None:
                return None
            if closing == "}" or at == 0 or not self._ends_operand(at - 1):
                return at
            at -= 1
        if at < 0 or not self._ends_operand(at):
            return None
        while self.tokens[at].kind == "string" and at and self.tokens[at - 1].kind == "string":
            at -= 1
        return at

    def _ends_operand(self, at: int) -> bool:
        token = self.tokens[at]
        if token.kind == "name":
            return not keyword.iskeyword(token.text) or token.text in _OPERANDS
        return token.kind in ("number", "string") or token.kind == "mark" and token.text in _CLOSED_BY

    def _opener(self, at: int) -> "int | None":
        depth = 0
        for position in range(at, -1, -1):
            token = self.tokens[position]
            if token.kind == "field":
                return None
            if token.kind == "mark":
                depth += (token.text in _CLOSED_BY) - (token.text in ("(", "[", "{"))
                if depth == 0:
                    return position
        return None

    def _is_mark(self, at: int, text: str) -> bool:
        return self.tokens[at].kind == "mark" and self.tokens[at].text == text

    def _read(self) -> None:
        at, length = 0, len(self.code)
        starts_line = True
        while at < length:
            if self._around and type(self._around[-1]) is not int:
                at = self._read_text(at, self._around[-1])
                continue
            match = _PIECE.match(self.code, at)
            kind, text, start = match.lastgroup, match[0], at  # type: ignore[union-attr]
            at = match.end()  # type: ignore[union-attr]
            if kind == "newline":
                starts_line = self._end_line()
            elif kind == "comment":
                self.in_comment = at == length
            elif kind != "space":
                if kind == "mark" and text in "!%?" and self._starts_command(starts_line):
                    at = _COMMAND.match(self.code, start).end()  # type: ignore[union-attr]
                    self.command = start if at == length else None
                elif kind == "string":
                    at = self._read_string(text, start, at)
                else:
                    at = self._take(Token(kind, text, start, at))  # type: ignore[arg-type]
                starts_line = False
        if self._around and type(self._around[-1]) is not int:
            self.string = self._around[-1]

    def _end_line(self) -> bool:
        if self.open or self._around:
            return False
        if self.tokens:
            self.lines.append(self.tokens)
            self.tokens = []
        return True

    def _starts_command(self, starts_line: bool) -> bool:
        if self.open or self._around:
            return False
        return starts_line or bool(self.tokens) and self._is_mark(len(self.tokens) - 1, "=")

    def _read_string(self, opening: str, start: int, at: int) -> int:
        string = OpenString(opening, at, len(self.tokens))
        if string.has_fields:
            self._around.append(string)
            return at
        while True:
            match = _IN_STRING.search(self.code, at)
            if match is None:
                self.string = string
                return len(self.code)
            at = match.end()
            if match[0][0] == string.quote[0] and self.code.startswith(string.quote, match.start()):
                at = match.start() + len(string.quote)
                break
            if match[0] in "\r\n" and len(string.quote) == 1:
                at = match.start()
                break
            if match[0] in ("'''", '"""'):
                at = match.start() + 1
        self.tokens.append(Token("string", "", start, at))
        return at

    def _read_text(self, at: int, string: OpenString) -> int:
        """Scan an f-string up to its next field or its end."""
        match = _IN_STRING.search(self.code, at)
        if match is None:
            return len(self.code)
        found, at = match[0], match.start()
        if found[0] in "'\"" and self.code.startswith(string.quote, at):
            self._end_text(string, at + len(string.quote))
            return at + len(string.quote)
        if found in ("\r", "\n") and len(string.quote) == 1:
            self._end_text(string, at)
            return at
        if found == "{" and (string.is_format or not self.code.startswith("{{", at)):
            self._around.append(len(self.open))
            self.open.append(len(self.tokens))
            self.tokens.append(Token("field", "{", at, at + 1))
            return at + 1
        if found == "{":
            return at + 2
        if found == "}" and string.is_format:
            self._around.pop()
            self._end_field()
            return at + 1
        return at + (1 if found[0] in "'\"" else len(found))

    def _end_text(self, string: OpenString, end: int) -> None:
        """The whole f-string becomes one token."""
        first = string.first_token
        del self.tokens[first:]
        while self.open and self.open[-1] >= first:
            self.open.pop()
        while self._around:
            around = self._around.pop()
            if type(around) is not int and around.first_token == first and not around.is_format:
                string = around
                break
        start = string.start - len(string.prefix) - len(string.quote)
        self.tokens.append(Token("string", "", start, end))

    def _end_field(self) -> None:
        depth = self._around.pop()
        del self.open[depth:]

    def _take(self, token: Token) -> int:
        """A token of Python; returns the next position."""
        in_field = bool(self._around) and len(self.open) == self._around[-1] + 1
        if token.kind == "mark":
            if in_field and (token.text[0] == ":" or _CONVERSION.match(self.code, token.start)):
                return self._begin_format(token.start)
            if in_field and token.text == "}":
                self._end_field()
                return token.end
            if token.text in ("(", "[", "{"):
                self.open.append(len(self.tokens))
            elif token.text in _CLOSED_BY:
                self._close(_CLOSED_BY[token.text])
        self.tokens.append(token)
        return token.end

    def _begin_format(self, at: int) -> int:
        """`:>{width}` after the expression: text again, which ends with the field."""
        conversion = _CONVERSION.match(self.code, at)
        outer = next(around for around in reversed(self._around) if type(around) is not int)
        text = OpenString(outer.prefix + outer.quote, at, outer.first_token, is_format=True)
        if conversion is not None:
            at = conversion.end()
        self._around.append(text)
        return at + 1 if self.code.startswith(":", at) else at

    def _close(self, opening: str) -> None:
        """Drops unclosed brackets in between, but never those around an f-string."""
        lowest = self._around[-1] + 1 if self._around else 0
        for position in range(len(self.open) - 1, lowest - 1, -1):
            if self.tokens[self.open[position]].text == opening:
                del self.open[position:]
                return
