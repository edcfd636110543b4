from __future__ import annotations


class UsageError(Exception):
    """Wrong use of a magic; the message names the correct form."""

    __module__ = "builtins"  # so that tracebacks omit Granary's module path
