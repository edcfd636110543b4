"""Python's parser, without its warnings."""

from __future__ import annotations

import ast
import warnings


def statements(text: str) -> list[ast.stmt] | None:
    """The statements of this text, or None if it is not Python."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
