"""Arguments of a script that are patterns of file names, as a shell would expand them: `%run script.py *.csv`."""

from __future__ import annotations

import glob
import shlex


def expanded(words: list[str], written: str) -> list[str]:
    """`words` end the written text. Quoted words, words with a backslash, and patterns without a match stay unchanged."""
    try:
        as_written = shlex.split(written, posix=False)[-len(words) :] if words else []
    except ValueError:
        return words
    if len(as_written) != len(words):
        return words
    return [name for word, text in zip(words, as_written) for name in (_fitting(word) if word == text else [word])]


def _fitting(word: str) -> list[str]:
    found = sorted(glob.glob(word)) if any(mark in word for mark in "*?[") else []
    return found or [word]
