"""`pip install x`, `ls` or `cd ..` as a line of Python: the error shows how to run it as a command."""

from __future__ import annotations

import builtins
import keyword
import re

from ..cells.main_module import sources

# A word with arguments of a shell, but no assignment, call or attribute.
_COMMAND = re.compile(r"(?:\$\s+)?([A-Za-z][\w.+-]*)(?:\s+(?![=(\[,:]).*|\s*)$")
# Valid Python that is no arithmetic: `ls -l`, `ls /tmp`, `git`, `nvidia-smi`.
_WITH_OPERATORS = re.compile(r"\S+(?:\s+[-/~.*]\S.*)?$")
# An undefined name is usually a variable. These are not.
_NEVER_VARIABLES = frozenset("ls ll la cd pwd pip pip3 conda mamba git whoami uname ifconfig whos lsmagic".split())
_SHELLS_OWN = frozenset("ls ll la cat cp mkdir mv rm rmdir".split())


def hint(problem: BaseException) -> str | None:
    """One line to add to the error of a cell; None if the code does not look like a command."""
    is_name = isinstance(problem, NameError)
    line = _line_of_name_error(problem) if is_name else _line_of_syntax_error(problem)
    match = _COMMAND.match(line.strip())
    if match is None:
        return None
    word = match[1]
    if is_name and not (_WITH_OPERATORS.match(line.strip()) and (word in _NEVER_VARIABLES or "-" in word)):
        return None
    if keyword.iskeyword(word) or hasattr(builtins, word):
        return None
    command = line.strip()[match.start(1) :]
    if word == "pip3":
        word, command = "pip", "pip" + command[len("pip3") :]
    mark = _mark(word)
    return None if mark is None else f"To run this as a command, write: {mark}{command}"


def _mark(word: str) -> str | None:
    from ..magics.table import LINE_MAGICS

    if word in LINE_MAGICS and word not in _SHELLS_OWN:
        return "%"
    import shutil

    return "!" if word in _SHELLS_OWN or shutil.which(word) else None


def _line_of_syntax_error(problem) -> str:
    return _line(problem.filename, problem.lineno)


def _line_of_name_error(problem) -> str:
    """The line at the cell's top level that raised; inside a function, the line was meant as Python."""
    entry = problem.__traceback__
    while entry is not None and entry.tb_next is not None:
        entry = entry.tb_next
    if entry is None or entry.tb_frame.f_code.co_name != "<module>":
        return ""
    return _line(entry.tb_frame.f_code.co_filename, entry.tb_lineno)


def _line(file: str | None, number: int | None) -> str:
    lines = sources.get(file, "").split("\n")
    return lines[number - 1] if number is not None and 0 < number <= len(lines) else ""
