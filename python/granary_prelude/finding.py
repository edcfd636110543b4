"""`find_files()` and `search_files()`: files in a folder, without version control, environments and caches."""

from __future__ import annotations

import os
import re
from itertools import islice
from typing import Iterable, Iterator, NamedTuple

from . import status
from .glob_pattern import glob_pattern

_SKIPPED = frozenset(
    (".git", ".hg", ".svn", "node_modules", "__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".tox", ".nox")
)
_LONGEST_LINE = 500  # characters of a match that are shown


class Found(list):
    """A list that shows one entry per line. `complete` is False if it stopped at its limit."""

    complete = True

    def __repr__(self) -> str:
        lines = [one if isinstance(one, str) else repr(one) for one in self]
        return "\n".join(lines + self._footer())

    def _footer(self) -> "list[str]":
        if not self.complete:
            return [f"[stopped at {len(self)}; there are more, see limit=]"]
        return [] if self else ["[nothing found]"]


class Match(NamedTuple):
    """A line of a file that matches."""

    path: str
    line: int
    text: str

    def __repr__(self) -> str:
        text = self.text if len(self.text) <= _LONGEST_LINE else self.text[:_LONGEST_LINE] + "…"
        return f"{self.path}:{self.line}: {text}"


def find_files(pattern: str = "*", folder: "str | os.PathLike" = ".", limit: int = 1000) -> Found:
    found = _first(limit, _files(_existing(folder), pattern))
    status.tell("find", path=status.shown_path(folder), pattern=pattern, count=len(found), complete=found.complete)
    return found


def search_files(
    pattern: "str | re.Pattern",
    folder: "str | os.PathLike" = ".",
    files: str = "*",
    ignore_case: bool = False,
    limit: int = 200,
) -> Found:
    expression = re.compile(pattern, re.IGNORECASE) if ignore_case else re.compile(pattern)
    root = _existing(folder)
    paths = [root] if os.path.isfile(root) else _files(root, files)
    found = _first(limit, (match for path in paths for match in _matches(path, expression)))
    status.tell(
        "search",
        path=status.shown_path(folder),
        pattern=expression.pattern,
        count=len(found),
        complete=found.complete,
    )
    return found


def _first(limit: int, found: Iterable) -> Found:
    some = Found(islice(found, limit + 1))
    if len(some) > limit:
        del some[limit:]
        some.complete = False
    return some


def _existing(folder: "str | os.PathLike") -> str:
    path = os.path.expanduser(os.fspath(folder))
    if not os.path.exists(path):
        raise FileNotFoundError(2, "there is no such file or folder", path)
    return path


def _files(root: str, pattern: str) -> Iterator[str]:
    """Paths to open, in order."""
    matches = glob_pattern(pattern).fullmatch
    by_name = "/" not in pattern
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(one for one in folders if not _is_skipped(os.path.join(folder, one)))
        for name in sorted(names):
            path = os.path.join(folder, name)
            relative = os.path.relpath(path, root)
            if matches(name if by_name else relative):
                yield relative if root == "." else path


def _is_skipped(folder: str) -> bool:
    is_virtual_environment = os.path.exists(os.path.join(folder, "pyvenv.cfg"))
    return os.path.basename(folder) in _SKIPPED or is_virtual_environment


def _matches(path: str, expression: re.Pattern) -> Iterator[Match]:
    try:
        if not os.path.isfile(path):
            return  # reading a named pipe would never end
        with open(path, "rb") as file:
            if b"\0" in file.read(8192):
                return  # not text
            file.seek(0)
            for number, line in enumerate(file, 1):
                text = line.decode("utf-8", "replace").rstrip("\r\n")
                if expression.search(text):
                    yield Match(path, number, text)
    except OSError:
        return  # not readable, or just deleted
