#!/usr/bin/python3
"""Stands in for sandbox-exec on Linux: takes its arguments, and limits the program with Landlock, by the parameters alone.

FAKE_FORGETS names parameters to ignore, such as HIDE; `everything` limits nothing. FAKE_LIMITS has the command of Landlock's launcher and
the filter of system calls, as JSON.
"""

import json
import os
import sys

arguments = sys.argv[1:]
assert arguments[0] == "-p" and arguments[1].startswith("(version 1)\n(deny default)\n")
given, at = [], 2
while arguments[at] == "-D":
    given.append(arguments[at + 1].partition("=")[::2])
    at += 2
assert arguments[at] == "--"
program = arguments[at + 1 :]
forgets = os.environ.pop("FAKE_FORGETS", "").split()
limits = json.loads(os.environ.pop("FAKE_LIMITS"))
if "everything" in forgets:
    os.execvp(program[0], program)


def paths(name):
    return [] if name in forgets else [value for key, value in given if key.rpartition("_")[0] == name]


policy = {
    "cwd": [os.getcwd()],
    "home": ["/"] if "OUTSIDE" in forgets else [limits["home"]],
    "mounts": ["if possible"],
    "network": ["shared"],
    "seccomp": [limits["with sockets" if "NETWORK" in forgets else "without sockets"]],
    "seccompOwnNetwork": [limits["with sockets"]],
    "tmp": [limits["tmp"]],
    "empty": [limits["empty"]],
    "write": paths("WRITE") + ([limits["outside"]] if "OUTSIDE" in forgets else []),
    "show": paths("SHOW"),
    "hide": paths("HIDE"),
    "readOnly": paths("READONLY"),
    "anchors": [path for path in paths("ANCHOR") if path not in paths("WRITE")],
    "devices": ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"],
}
for path in policy["write"] + policy["show"]:
    if path.startswith("/tmp/"):  # the plan makes these places for an engine with mounts
        os.makedirs(limits["tmp"] + path[len("/tmp") :], exist_ok=True)
lines = [name + " " + value for name, values in policy.items() for value in values]
os.execvp(limits["command"][0], limits["command"] + ["\n".join(lines)] + program)
