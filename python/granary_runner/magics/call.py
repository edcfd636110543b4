"""One call of a magic, for its function."""

from __future__ import annotations

import os
import sys

from ..cells import execute
from .syntax.expand import expand
from .syntax.usage_error import UsageError

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


class MagicCall:
    """`text` is the text after the name: magics that take code use it unchanged, others use `args` or `words()`.

    `seen` has the names at the line that calls the magic, `namespace` those that its code reads and writes.
    """

    __slots__ = ("name", "text", "is_cell", "body", "first_line", "namespace", "file", "seen")

    def __init__(self, name: str, text: str, body: "str | None" = None, first_line: int = 0) -> None:
        frame = _user_frame()
        self.name = name
        self.text = text
        self.is_cell = body is not None
        self.body = body or ""
        self.first_line = first_line or frame.f_lineno
        self.seen = _names_seen_from(frame)
        # A library that calls a magic means the user's names: the magic's definitions belong there.
        self.namespace = self.seen if frame.f_globals is execute.namespace() else execute.namespace()
        self.file = frame.f_code.co_filename

    @property
    def args(self) -> str:
        """The text with `{expression}` and `$name` replaced by their values."""
        return expand(self.text, self.seen)

    def words(self) -> list[str]:
        """The arguments as a shell would split them."""
        import shlex

        try:
            return shlex.split(self.args)
        except ValueError as problem:
            raise UsageError(f"{'%%' if self.is_cell else '%'}{self.name}: {problem} in: {self.text}") from None


def user_namespace() -> dict:
    """The names that the user's code sees at the line being run."""
    return _names_seen_from(_user_frame())


def _user_frame():
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    return frame


def _names_seen_from(frame) -> dict:
    if frame.f_locals is frame.f_globals and frame.f_globals is execute.namespace():
        return frame.f_globals
    return {**execute.namespace(), **frame.f_globals, **frame.f_locals}
