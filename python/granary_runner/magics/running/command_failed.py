"""A failed program of a magic."""

from __future__ import annotations

import signal
import subprocess


class CommandFailed(subprocess.CalledProcessError):
    """Also caught by `except subprocess.CalledProcessError`."""

    __module__ = "builtins"  # so that tracebacks omit Granary's module path

    def __init__(self, exit_code: int, command: str) -> None:
        super().__init__(exit_code, command)

    def __str__(self) -> str:
        if self.returncode >= 0:
            return f"{self.cmd} ended with exit code {self.returncode}"
        try:
            name = signal.Signals(-self.returncode).name
        except ValueError:
            name = f"signal {-self.returncode}"
        return f"{self.cmd} was ended by {name}"
