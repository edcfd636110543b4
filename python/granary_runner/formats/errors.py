"""Failures in one line, where a traceback would add nothing."""

from __future__ import annotations

import sys

LONGEST = 500


def describe(error: BaseException) -> str:
    """``ValueError: what was wrong`` on one line, even if the message cannot be read."""
    try:
        message = " ".join(str(error).split())
    except Exception:
        message = "(its message could not be read)"
    if len(message) > LONGEST:
        message = message[:LONGEST] + "…"
    name = type(error).__name__
    return f"{name}: {message}" if message else name


def report(obj, what: str, error: BaseException) -> None:
    print(f"{type(obj).__name__}: {what} failed: {describe(error)}", file=sys.stderr)
