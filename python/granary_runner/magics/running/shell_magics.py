"""%%bash and its family: the cell's body is a script for another program."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

from ... import shell
from ...cells import execute
from ..call import MagicCall
from ..syntax.usage_error import UsageError
from .command_failed import CommandFailed

_LONGEST_ARGUMENT = 100_000  # Linux refuses a single argument of 128 KiB


class _Options:
    """The magic's own options; everything else goes to the program."""

    def __init__(self, words: list[str]) -> None:
        self.raises = True
        self.out = ""
        self.err = ""
        self.rest: list[str] = []
        words = list(words)
        while words:
            word = words.pop(0)
            name, _, value = word.partition("=")
            if word in ("--no-raise-error", "--raise-error"):
                self.raises = word == "--raise-error"
            elif name in ("--out", "--err"):
                setattr(self, name[2:], value or (words.pop(0) if words else ""))
            elif word in ("--bg", "--proc"):
                raise UsageError(f"{word} is not supported. To leave a program running, end its line with `&`.")
            else:
                self.rest.append(word)


def _shell_script(*programs: str):
    def run(call: MagicCall) -> None:
        options = _Options(call.words())
        program = _first_on_path(programs)
        flags = [word for word in options.rest if word.startswith("-")]
        args = [word for word in options.rest if not word.startswith("-")]
        if len(call.body.encode("utf-8", "surrogateescape")) <= _LONGEST_ARGUMENT:
            _run_program(call, options, [program, *flags, "-c", call.body, programs[0], *args])
            return
        with tempfile.TemporaryDirectory(prefix="granary-") as folder:
            path = os.path.join(folder, "cell.sh")
            with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
                file.write(call.body)
            _run_program(call, options, [program, *flags, path, *args])

    run.__doc__ = f"Run the cell as a script for {programs[0]}; a failing one fails the cell, unless --no-raise-error."
    return run


def _first_on_path(programs: tuple[str, ...]) -> str:
    import shutil

    for program in programs:
        found = shutil.which(program)
        if found:
            return found
    raise UsageError(f"{programs[0]} is not on PATH.")


def _program_script(*program: str):
    def run(call: MagicCall) -> None:
        options = _Options([*program, *call.words()])
        if not options.rest:
            raise UsageError("%%script needs a program, for example: %%script node")
        _run_program(call, options, options.rest, given=call.body)

    run.__doc__ = f"Give the cell to {program[0] if program else 'a program'} on its standard input."
    return run


def _run_program(call: MagicCall, options: _Options, argv: list[str], given: str | None = None) -> None:
    finished = shell.run_program(
        argv,
        given,
        stdout=subprocess.PIPE if options.out else None,
        stderr=subprocess.PIPE if options.err else None,
    )
    variables = execute.namespace()
    variables["_exit_code"] = finished.exit_code
    if options.out:
        variables[options.out] = finished.stdout
    if options.err:
        variables[options.err] = finished.stderr
    if finished.exit_code != 0 and options.raises:
        raise CommandFailed(finished.exit_code, f"%%{call.name}")


def _capture_line(call: MagicCall) -> shell.Lines:
    """Run a shell command and return its lines, as `x = !command` does."""
    return _captured(call.args)


def _capture_cell(call: MagicCall) -> shell.Lines:
    """Run the cell as a shell script and return its lines."""
    return _captured(call.body)


def _captured(command: str) -> shell.Lines:
    lines = shell.capture(command)
    execute.namespace()["_exit_code"] = lines.exit_code
    return lines


LINE = {"system": _capture_line, "sx": _capture_line}
CELL = {
    "bash": _shell_script("bash"),
    "sh": _shell_script("sh", "bash"),
    "script": _program_script(),
    "python": _program_script(sys.executable, "-"),
    "python3": _program_script(sys.executable, "-"),
    "perl": _program_script("perl"),
    "ruby": _program_script("ruby"),
    "system": _capture_cell,
    "sx": _capture_cell,
}
