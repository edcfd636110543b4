"""The result of a command, as a value and as the exceptions of `subprocess`."""

from __future__ import annotations

import subprocess

_SHOWN_IN_ERRORS = 20  # lines


class CommandResult:
    """As text: the command's output, and its exit code unless 0."""

    def __init__(
        self, command: str, exit_code: int, stdout: str, stderr: str, output: str, notes: "tuple[str, ...]" = ()
    ) -> None:
        self.command = command
        # As in a shell: 128 plus the signal's number after a signal.
        self.exit_code = exit_code if exit_code >= 0 else 128 - exit_code
        self.stdout = stdout
        self.stderr = stderr
        self.output = output  # both, in order of arrival
        self.notes = notes

    @property
    def ok(self) -> bool:
        return self.exit_code == 0

    @property
    def lines(self) -> "list[str]":
        """The lines of stdout."""
        lines = self.stdout.split("\n")
        return lines[:-1] if lines[-1] == "" else lines

    def __repr__(self) -> str:
        code = () if self.ok else (f"[exit code {self.exit_code}]",)
        output = self.output.rstrip("\n")
        return "\n".join([*([output] if output else ()), *code, *(f"[{note}]" for note in self.notes)])


class CommandFailed(subprocess.CalledProcessError):
    __module__ = "builtins"  # so that tracebacks omit our module path

    def __init__(self, result: CommandResult) -> None:
        super().__init__(result.exit_code, result.command, result.stdout, result.stderr)
        self.result = result

    def __str__(self) -> str:
        return f"exit code {self.returncode}: {self.cmd}{_last_words(self.result)}"

    def __reduce__(self) -> tuple:
        return _failed, (self.result,)


class CommandTimedOut(subprocess.TimeoutExpired):
    __module__ = "builtins"

    def __init__(self, result: CommandResult, timeout: float) -> None:
        super().__init__(result.command, timeout, result.stdout, result.stderr)
        self.result = result

    def __str__(self) -> str:
        seconds = "second" if self.timeout == 1 else "seconds"
        return f"timed out after {self.timeout:g} {seconds}, and was ended: {self.cmd}{_last_words(self.result)}"

    def __reduce__(self) -> tuple:
        return _timed_out, (self.result, self.timeout)


# Pickle looks for a class in its `__module__`, which is wrong for these two.
def _failed(result: CommandResult) -> CommandFailed:
    return CommandFailed(result)


def _timed_out(result: CommandResult, timeout: float) -> CommandTimedOut:
    return CommandTimedOut(result, timeout)


def _last_words(result: CommandResult) -> str:
    lines = result.output.rstrip("\n").split("\n") if result.output else []
    left_out = ["…"] if len(lines) > _SHOWN_IN_ERRORS else []
    return "".join("\n" + line for line in left_out + lines[-_SHOWN_IN_ERRORS:])
