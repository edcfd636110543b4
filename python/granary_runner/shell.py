"""Commands for `!cmd`, `x = !cmd` and the magics that start programs.

A child gets null stdin and, if possible, the descriptors behind `sys.stdout` and `sys.stderr`, so its bytes flow
at the pipe's speed. It stays in our process group, so it ends with the kernel.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from .captured_lines import Lines
from .cells import interrupt
from .magics.running.process_tree import ProcessTree
from .wire import emit

# An interrupt between the start of a child and the return of its number would leave it running.
interrupt.guard(__file__)


def run(command: str) -> int:
    """Run a shell command, show its output, and return its exit code."""
    return run_program(shell_argv(command)).exit_code


def capture(command: str) -> Lines:
    """Run a shell command and return its stdout; shows its stderr."""
    finished = run_program(shell_argv(command), stdout=subprocess.PIPE)
    text = finished.stdout.replace("\r\n", "\n")
    if text.endswith("\n"):
        text = text[:-1]
    return Lines(text.split("\n") if text else [], finished.exit_code)


def shell_argv(command: str) -> list[str]:
    if os.name == "nt":
        return [os.environ.get("COMSPEC", "cmd.exe"), "/c", command]
    return [shutil.which("bash") or shutil.which("sh") or "/bin/sh", "-c", command]


class Finished:
    """A finished program; `stdout` and `stderr` have its output if requested with PIPE."""

    __slots__ = ("exit_code", "stdout", "stderr")

    def __init__(self, exit_code: int, stdout: str, stderr: str) -> None:
        self.exit_code = exit_code
        self.stdout = stdout
        self.stderr = stderr


def run_program(
    argv: list[str],
    given: str | None = None,
    environment: dict[str, str] | None = None,
    stdout: int | None = None,
    stderr: int | None = None,
) -> Finished:
    """Run a program to its end, and show its output unless requested. `given` is its stdin."""
    _flush(sys.stdout)
    _flush(sys.stderr)
    _tell_host(None)
    process = subprocess.Popen(
        argv,
        stdin=subprocess.DEVNULL if given is None else subprocess.PIPE,
        stdout=_shown_on(sys.stdout) if stdout is None else stdout,
        stderr=_shown_on(sys.stderr) if stderr is None else stderr,
        env=environment,
    )
    tree = ProcessTree(process)
    try:
        out, err = _wait(process, None if given is None else given.encode("utf-8", "surrogateescape"))
    except BaseException as problem:
        tree.end()
        if isinstance(problem, KeyboardInterrupt):
            raise KeyboardInterrupt from None  # the frames of `subprocess` do not help
        raise
    finished = Finished(process.returncode, _decode(out), _decode(err))
    # A stream without a descriptor (`%%capture`, `redirect_stdout`) gets its text now.
    if stdout is None and out:
        _show(sys.stdout, finished.stdout)
    if stderr is None and err:
        _show(sys.stderr, finished.stderr)
    _tell_host(finished.exit_code)
    return finished


def _tell_host(exit_code: int | None) -> None:
    """In a sandbox, the host explains the output of a failed command: it lies between its begin, without a code, and its end."""
    if "GRANARY_SANDBOX" in os.environ and emit.cell_id is not None:
        emit.send({"t": "command", "id": emit.cell_id, "exit": exit_code})


@interrupt.waits
def _wait(process: subprocess.Popen, given: bytes | None) -> tuple[bytes | None, bytes | None]:
    interrupt.raise_pending()
    return process.communicate(given)


@interrupt.calls_user_code
def _flush(stream) -> None:
    try:
        stream.flush()
    except (AttributeError, ValueError):
        pass  # None or closed: the user's choice


@interrupt.calls_user_code
def _show(stream, text: str) -> None:
    stream.write(text)


def _shown_on(stream) -> int:
    if stream is None:
        return subprocess.DEVNULL
    try:
        return stream.fileno()
    except (AttributeError, OSError, ValueError):
        return subprocess.PIPE


def _decode(data: bytes | None) -> str:
    return "" if data is None else data.decode("utf-8", "replace")
