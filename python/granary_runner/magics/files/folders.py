"""%cd, %pwd, and the few shell commands that people write as magics."""

from __future__ import annotations

import os
import shlex

from ... import shell
from ...cells import execute
from ..call import MagicCall
from ..syntax.options import FLAG, Options, no_arguments
from ..syntax.usage_error import UsageError

_previous: str | None = None
_pushed: list[str] = []  # by %pushd, the newest first


def _cd(call: MagicCall) -> None:
    """Change to a folder: `%cd path`, `%cd -` for the previous one, `%cd` for the home folder; -q prints nothing."""
    global _previous
    target, quiet = _target_and_quiet(call)
    folder = _folder(target)
    here = os.getcwd()
    os.chdir(folder)
    _previous = here
    if not quiet:
        print(os.getcwd())


def _target_and_quiet(call: MagicCall) -> "tuple[str, bool]":
    """The folder as typed: its name may contain spaces and quotes."""
    target = call.args
    if not target.startswith("-") or target == "-":
        return target, False
    option, _, folder = target.partition(" ")
    if option in ("-q", "--"):
        return folder.strip(), option == "-q"
    raise Options(call, {"-q": FLAG}, "[-q] [folder], or: %cd -").error(f"%cd has no option {option}.")


def forget_previous() -> None:
    """Forget the previous folder of `%cd -`."""
    global _previous
    _previous = None


def _folder(target: str) -> str:
    if target == "-":
        if _previous is None:
            raise UsageError("%cd -: no other folder has been visited yet.")
        return _previous
    if len(target) >= 2 and target[0] == target[-1] and target[0] in "'\"":
        target = target[1:-1]
    return os.path.expanduser(target or "~")


def _pushd(call: MagicCall) -> "list[str]":
    """Change to a folder, and remember this one for %popd: `%pushd path`; returns what %dirs does."""
    here = os.getcwd()
    _cd(call)
    _pushed.insert(0, here)
    return _dirs(call)


def _popd(call: MagicCall) -> None:
    """Return to the folder that the last %pushd left."""
    global _previous
    no_arguments(call)
    if not _pushed:
        raise UsageError("%popd: the stack is empty. %pushd fills it.")
    here = os.getcwd()
    os.chdir(_pushed.pop(0))
    _previous = here
    print("popd ->", os.getcwd())


def _dirs(call: MagicCall) -> "list[str]":
    """The folders that %popd returns to, the next one first."""
    return [folder.replace(os.path.expanduser("~"), "~", 1) for folder in _pushed]


def _pwd(call: MagicCall) -> str:
    """The current folder."""
    no_arguments(call)
    return os.getcwd()


def _shell_command(*words: str):
    def run(call: MagicCall) -> None:
        command = " ".join([shlex.join(words), call.args])
        execute.namespace()["_exit_code"] = shell.run(command.strip())

    run.__doc__ = f"The shell's `{shlex.join(words)}`."
    return run


LINE = {
    "cd": _cd,
    "pwd": _pwd,
    "pushd": _pushd,
    "popd": _popd,
    "dirs": _dirs,
    "ls": _shell_command("ls"),
    "ll": _shell_command("ls", "-l"),
    "la": _shell_command("ls", "-la"),
    **{name: _shell_command(name) for name in ("cat", "cp", "mkdir", "mv", "rm", "rmdir")},
}
CELL: dict = {}
