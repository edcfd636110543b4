"""The command line that runs a shell command. Granary's bash tool, `src/shell/`, has the same."""

from __future__ import annotations

import os
import shutil
import sys

# $1 is the command, $2 the snapshot of the user's shell, $3 the programs of the virtual environment: a login profile may
# have put others before them. The command itself sees none of the three. One line, so that line numbers are the command's.
SCRIPT = "; ".join(
    [
        'if [ -n "$2" ]; then shopt -s expand_aliases; . "$2"; fi',
        'if [ -n "$3" ]; then export PATH="$3:${PATH#"$3:"}"; fi',
        'eval "shift 3; $1"',
    ]
)


def command_line(command: str, environment: "dict[str, str]") -> "list[str]":
    """bash with the recorded shell, which is fast, else bash with the login profile, else sh."""
    programs = _programs(environment)
    bash = shutil.which("bash", path=environment.get("PATH"))
    if bash is None:
        return [shutil.which("sh", path=environment.get("PATH")) or "/bin/sh", "-c", SCRIPT, "sh", command, "", programs]
    snapshot = environment.get("PI_SHELL_SNAPSHOT", "")
    if os.path.isfile(snapshot):
        return [bash, "-c", SCRIPT, "bash", command, snapshot, programs]
    return [bash, "-lc", SCRIPT, "bash", command, "", programs]


def _programs(environment: "dict[str, str]") -> str:
    in_virtual_environment = sys.prefix != sys.base_prefix
    folder = sys.prefix if in_virtual_environment else environment.get("VIRTUAL_ENV")
    if folder:
        own = [os.path.join(folder, "bin")]
    else:
        own = [os.path.dirname(sys.executable)] if _hides_shims(environment) else []
    return os.pathsep.join([*own, *_added(environment)])


def _added(environment: "dict[str, str]") -> "list[str]":
    """Of the packages that %pip added in a sandbox: see granary_runner/overlay.py."""
    place = environment.get("GRANARY_OVERLAY")
    folders = [os.path.join(place, "bin"), os.path.join(place, "local", "bin")] if place else []
    return [folder for folder in folders if os.path.isdir(folder)]


def _hides_shims(environment: "dict[str, str]") -> bool:
    """A strict sandbox does not show the shim that named this Python, so the host has put its programs first."""
    is_strict = '"mode":"strict"' in environment.get("GRANARY_SANDBOX", "")
    return is_strict and environment.get("PATH", "").split(os.pathsep)[0] == os.path.dirname(sys.executable)
