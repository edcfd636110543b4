from __future__ import annotations


class UsageError(Exception):
    """A magic was used in a way it does not understand; the message says what would work."""

    __module__ = "builtins"  # tracebacks then say `UsageError`, without Granary's module path
