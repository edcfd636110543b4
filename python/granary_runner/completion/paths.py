"""File names: inside strings, and in commands."""

from __future__ import annotations

import os
from itertools import islice

from .matches import Match

_MOST = 500
_MOST_LOOKED_AT = 100_000
_SPECIAL = frozenset(" \t\n\\'\"`$&;|<>()[]{}*?!#~=%")


def paths(typed: str, accepts=None, only_folders: bool = False) -> "tuple[str, list[str]]":
    """The last part of the typed path, and its candidates; a folder ends in a slash."""
    folder, slash, prefix = typed.rpartition("/")
    names: list = []
    try:
        with os.scandir(os.path.expanduser(folder + slash) or ".") as entries:
            for entry in islice(entries, _MOST_LOOKED_AT):
                name = entry.name
                if not name.startswith(prefix) or name.startswith(".") and not prefix.startswith(".") or not name.isprintable():
                    continue
                if _is_folder(entry):
                    names.append(name + "/")
                elif not only_folders and (accepts is None or name.endswith(accepts)):
                    names.append(name)
                if len(names) == _MOST:
                    break
    except (OSError, ValueError):
        return prefix, []
    return prefix, names


def _is_folder(entry: os.DirEntry) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def paths_in_command(command: str, accepts=None, only_folders: bool = False) -> "tuple[int, list[Match]]":
    """For the last word of a shell command: how many characters of it a match replaces, and the matches as the shell reads them."""
    word, quote, starts = _last_word(command)
    prefix, names = paths(word, accepts, only_folders)
    typed = len(command) - starts[len(starts) - len(prefix)] if prefix else 0
    return typed, [Match(_for_shell(name, quote), "path") for name in names]


def _last_word(command: str) -> "tuple[str, str, list[int]]":
    """The value of the last word, its open quote, and the position of each of its characters in the command."""
    word: list = []
    starts: list = []
    quote = ""
    position = 0
    while position < len(command):
        character, start = command[position], position
        position += 1
        if quote:
            if character == quote:
                quote = ""
                continue
        elif character in "'\"":
            quote = character
            continue
        elif character in " \t\n;|&<>()=`":
            word.clear()
            starts.clear()
            continue
        if character == "\\" and quote != "'" and position < len(command):
            character = command[position]
            position += 1
        word.append(character)
        starts.append(start)
    return "".join(word), quote, starts


def _for_shell(name: str, quote: str) -> str:
    if quote == "'":
        return name.replace("'", "'\\''")
    special = _SPECIAL if not quote else frozenset('\\"$`')
    text = "".join("\\" + character if character in special else character for character in name)
    return text
