"""The output of a command: a list of lines with IPython's methods to select and split them."""

from __future__ import annotations

import os


class Lines(list):
    """The lines; `.n` joins them by newlines, `.s` by spaces, `.p` has those that are paths of files."""

    def __init__(self, lines=(), exit_code: int = 0) -> None:
        super().__init__(lines)
        self.exit_code = exit_code

    @property
    def returncode(self) -> int:
        return self.exit_code

    @property
    def l(self) -> list[str]:  # noqa: E743 (the name people know)
        return list(self)

    @property
    def n(self) -> str:
        return "\n".join(self)

    @property
    def s(self) -> str:
        return " ".join(self)

    @property
    def p(self) -> list:
        from pathlib import Path

        return [Path(line) for line in self if os.path.exists(line)]

    list, nlstr, spstr, paths = l, n, s, p

    def grep(self, pattern, prune: bool = False, field: int | None = None) -> Lines:
        """Lines that match a regular expression or a function, or with `prune` the others; compares one field, if given."""
        import re

        finds = pattern if callable(pattern) else re.compile(pattern, re.IGNORECASE).search
        chosen = [line for line in self if bool(finds(line if field is None else _field(line, field))) != prune]
        return Lines(chosen, self.exit_code)

    def fields(self, *numbers: int) -> Lines:
        """The words of each line; with numbers, these words joined by spaces, without lines that have none of them."""
        words = [line.split() for line in self]
        if not numbers:
            return Lines(words, self.exit_code)
        chosen = (" ".join(_at(line, number) for number in numbers if _at(line, number)) for line in words)
        return Lines([line for line in chosen if line], self.exit_code)

    def sort(self, field: int | None = None, nums: bool = False, **options) -> Lines:
        """Sorts in place, as any list, and returns the lines; optionally by a field, and with `nums` by its number."""
        if field is not None or nums:
            options.setdefault("key", lambda line: _sort_key(line if field is None else _field(line, field), nums))
        super().sort(**options)
        return self


def _field(line: str, number: int) -> str:
    return _at(line.split(), number)


def _at(words: list[str], number: int) -> str:
    return words[number] if -len(words) <= number < len(words) else ""


def _sort_key(text: str, as_number: bool):
    if not as_number:
        return text
    digits = "".join(character for character in text if character.isdigit())
    return int(digits) if digits else 0
