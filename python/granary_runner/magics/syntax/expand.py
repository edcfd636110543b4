"""`{expression}` and `$name` in commands and in arguments of magics.

Text that cannot be a value of the user's stays for the shell: `$HOME`, `${x:-1}`, `awk '{print $1}'`, `mkdir {a,b}`, JSON.
"""

from __future__ import annotations

import re

from .braced_field import evaluate_field

_NAME = re.compile(r"[^\W\d]\w*")
_BRACED_NAME = re.compile(r"\{([^\W\d]\w*)\}")


class _Expansion:
    """One pass over a text, from left to right."""

    def __init__(self, text: str, namespace: dict) -> None:
        self.text = text
        self.namespace = namespace
        self.result: list[str] = []
        self.position = 0
        self.quote = ""  # the shell's open quote
        self.open_braces = 0  # opening braces that stay, so that their closing ones also stay

    def run(self) -> str:
        while self.position < len(self.text):
            character = self.text[self.position]
            if character == "\\":
                self._copy(2)
            elif character in "'\"":
                self._note_quote(character)
                self._copy(1)
            elif character == "$":
                self._dollar()
            elif character == "{":
                self._opening_brace()
            elif character == "}":
                self._closing_brace()
            else:
                self._copy(1)
        return "".join(self.result)

    def _copy(self, length: int) -> None:
        self.result.append(self.text[self.position : self.position + length])
        self.position += length

    def _replace(self, length: int, value: str) -> None:
        self.result.append(value)
        self.position += length

    def _note_quote(self, character: str) -> None:
        if self.quote == character:
            self.quote = ""
        elif not self.quote:
            self.quote = character

    def _dollar(self) -> None:
        after = self.position + 1
        if self.quote == "'":  # the shell also expands nothing inside these
            return self._copy(1)
        if self.text.startswith("$", after):
            # `$$name` is the shell's own variable; a plain `$$` is its process number.
            named = _NAME.match(self.text, after + 1)
            return self._replace(2, "$") if named else self._copy(2)
        bare = _NAME.match(self.text, after)
        match = bare or _BRACED_NAME.match(self.text, after)
        if match is not None:
            name = match[0] if bare else match[1]
            if name in self.namespace:
                value = _text_of(self.namespace[name])
                if value is not None:
                    return self._replace(match.end() - self.position, value)
        if self.text.startswith("{", after):
            self.open_braces += 1
            return self._copy(2)
        self._copy(1)

    def _opening_brace(self) -> None:
        if self.text.startswith("{{", self.position):
            return self._replace(2, "{")
        end = _matching_brace(self.text, self.position)
        value = None if end is None else evaluate_field(self.text[self.position + 1 : end], self.namespace)
        if value is None:
            self.open_braces += 1
            return self._copy(1)
        self._replace(end + 1 - self.position, value)

    def _closing_brace(self) -> None:
        if self.open_braces:
            self.open_braces -= 1
            return self._copy(1)
        if self.text.startswith("}}", self.position):
            return self._replace(2, "}")
        self._copy(1)


def expand(text: str, namespace: dict) -> str:
    if "$" not in text and "{" not in text and "}" not in text:
        return text
    return _Expansion(text, namespace).run()


def _matching_brace(text: str, start: int) -> int | None:
    depth = 0
    quote = ""
    for position in range(start, len(text)):
        character = text[position]
        if quote:
            if character == quote:
                quote = ""
        elif character in "'\"":
            quote = character
        elif character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
            if depth == 0:
                return position
    return None


def _text_of(value: object) -> str | None:
    try:
        return str(value)
    except Exception:
        return None
