"""`bash()`: one shell command, captured."""

from __future__ import annotations

import os
import subprocess
import sys
import time

from .capture import Capture
from .command_line import command_line
from .command_result import CommandFailed, CommandResult, CommandTimedOut

try:
    from granary_runner.magics.running.process_tree import ProcessTree
except ImportError:  # a Jupyter kernel: the prelude includes the file
    from .process_tree import ProcessTree

_interrupts = sys.modules.get("granary_runner.cells.interrupt")


def bash(
    command: str,
    check: bool = False,
    timeout: "float | None" = None,
    cwd: "str | os.PathLike | None" = None,
    env: "dict[str, str | None] | None" = None,
    input: "str | bytes | None" = None,
) -> CommandResult:
    if not isinstance(command, str):
        raise TypeError(f"bash() takes the command as one text, not as {type(command).__name__}: bash('ls -l')")
    environment = _changed(os.environ, env)
    argv = command_line(command, environment)
    folder = None if cwd is None else os.path.expanduser(cwd)
    result, in_time = _run(argv, command, _deadline(timeout), input, cwd=folder, env=environment)
    if not in_time:
        raise CommandTimedOut(result, timeout)
    if check and not result.ok:
        raise CommandFailed(result)
    return result


def _run(argv: "list[str]", command: str, deadline: float, given, **options: object) -> "tuple[CommandResult, bool]":
    # In our process group, as every child, so it ends with the kernel.
    process = subprocess.Popen(
        argv,
        stdin=subprocess.DEVNULL if given is None else subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **options,
    )
    tree = ProcessTree(process)
    capture = Capture(process, given.encode("utf-8", "surrogateescape") if isinstance(given, str) else given)
    try:
        in_time = _wait(capture, deadline)
    except BaseException as problem:
        tree.end()
        capture.close()
        if isinstance(problem, KeyboardInterrupt):
            raise KeyboardInterrupt from None  # our own frames do not help
        raise
    if not in_time:
        tree.end()
        capture.take_the_rest()
    notes = _notes(argv, capture)
    return CommandResult(command, process.wait(), capture.stdout, capture.stderr, capture.both, notes), in_time


def _wait(capture: Capture, deadline: float) -> bool:
    if _interrupts is not None:
        _interrupts.raise_pending()
    return capture.until_the_end(deadline)


if _interrupts is not None:
    # An interrupt between the start of a child and the return of its number would leave it running.
    _interrupts.guard(_run.__code__.co_filename)
    _interrupts.waits(_wait)


def _notes(argv: "list[str]", capture: Capture) -> "tuple[str, ...]":
    notes = []
    if os.path.basename(argv[0]) != "bash":
        notes.append("there is no bash here; this ran in sh")
    if capture.bytes_left_out:
        notes.append(f"{capture.bytes_left_out} more {'byte was' if capture.bytes_left_out == 1 else 'bytes were'} not kept; write so much into a file")
    return tuple(notes)


def _deadline(timeout: "float | None") -> float:
    return float("inf") if timeout is None else time.monotonic() + timeout


def _changed(environment: "os._Environ[str]", changes: "dict[str, str | None] | None") -> "dict[str, str]":
    merged = {**environment, **(changes or {})}
    return {name: str(value) for name, value in merged.items() if value is not None}
