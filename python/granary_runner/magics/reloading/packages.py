"""%pip: install into this Python, with pip or uv."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys

from ... import shell
from ...wire import emit
from ..call import MagicCall
from ..running.command_failed import CommandFailed
from ..syntax.usage_error import UsageError
from .installed import BeforeInstallation

# `2>&1`, `| tail -1`, `&& …` after a %pip line are meant for the shell. A requirement never looks like that.
_FOR_THE_SHELL = re.compile(r"(?:^|\s)(?:\d?>|&>|\||&|;)")
_WITH_ITS_OWN_EXIT_CODE = "\nexit ${PIPESTATUS[0]}"  # not that of `| grep -v satisfied`
_CHANGES = ("install", "uninstall", "sync")


def _pip(call: MagicCall) -> None:
    """Install packages into this Python: `%pip install numpy`. The cell's timeout pauses."""
    words = call.words()
    if not words:
        raise UsageError("%pip needs a command, for example: %pip install numpy")
    environment = dict(os.environ, PIP_DISABLE_PIP_VERSION_CHECK="1", PIP_NO_INPUT="1")
    before = BeforeInstallation() if words[0] in _CHANGES else None
    emit.clock(False)
    try:
        exit_code = shell.run_program(_command(words, call.args), environment=environment).exit_code
    finally:
        emit.clock(True)
    if before is not None:
        if "GRANARY_OVERLAY" in os.environ:
            from ... import overlay

            overlay.activate()
        before.bring_up_to_date()
    if exit_code != 0:
        raise CommandFailed(exit_code, f"%{call.name} {call.text}")


def _command(words: list[str], text: str) -> list[str]:
    subcommand, rest = words[0], words[1:]
    program = _installer(subcommand, rest)
    if _FOR_THE_SHELL.search(text):
        _, _, rest_of_text = text.partition(subcommand)
        command = " ".join(shlex.quote(word) for word in program[: len(program) - len(rest)])
        argv = shell.shell_argv(f"{command} {rest_of_text.strip()}")
        if argv[0].endswith("bash"):
            argv[-1] += _WITH_ITS_OWN_EXIT_CODE
        return argv
    return program


def _installer(subcommand: str, rest: list[str]) -> list[str]:
    """The whole command line; the arguments that were typed are its end."""
    from importlib.util import find_spec

    front, more = _sandbox(subcommand, rest)
    if find_spec("pip") is not None:
        options = ["--yes"] if subcommand == "uninstall" else []  # no user can answer
        return [*front, sys.executable, "-m", "pip", subcommand, *options, *more, *rest]
    uv = shutil.which("uv")
    if uv is not None:
        if subcommand == "uninstall":
            rest[:] = [word for word in rest if word not in ("-y", "--yes")]  # uv never asks
        return [*front, uv, "pip", subcommand, "--python", sys.executable, *more, *rest]
    raise UsageError(
        f"{sys.executable} has no pip, and uv is not on PATH. "
        f"Give it pip with: !{shlex.quote(sys.executable)} -m ensurepip --upgrade"
    )


def _sandbox(subcommand: str, rest: list[str]) -> tuple[list[str], list[str]]:
    """The program in front of the installer, and more options for it."""
    if "GRANARY_SANDBOX" not in os.environ:
        return [], []
    from . import in_sandbox

    return in_sandbox.front(subcommand), in_sandbox.options(subcommand, rest)


def _uv(call: MagicCall) -> None:
    """`%uv pip …` is the same as `%pip …`."""
    if call.words()[:1] != ["pip"]:
        raise UsageError("%uv knows only `%uv pip …`, which is the same as `%pip …`. For the rest of uv use `!uv …`.")
    _pip(MagicCall("pip", call.text.partition("pip")[2].strip()))


def _conda(call: MagicCall) -> None:
    """Refused: use %pip."""
    raise UsageError(
        f"%{call.name} cannot change the environment of a running kernel safely. "
        f"Use `%pip install NAME`, or run `{call.name} install NAME` in a terminal and restart the kernel."
    )


LINE = {"pip": _pip, "uv": _uv, "conda": _conda, "mamba": _conda}
CELL: dict = {}
