"""Runs a program to which the system says that it does not have some system calls, as filters of containers do."""

import os
import struct
import sys

python_folder, numbers, *program = sys.argv[1:]
sys.path.insert(0, python_folder)
from granary_limits.rules import PR_SET_NO_NEW_PRIVS, seccomp  # noqa: E402
from granary_limits.system_calls import call, check  # noqa: E402

LOAD_NUMBER, IF_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOWED, NOT_THERE = 0x7FFF0000, 0x00050000 + 38
steps = [(LOAD_NUMBER, 0, 0, 0)]
for number in map(int, numbers.split(",")):
    steps += [(IF_EQUAL, 0, 1, number), (RETURN, 0, 0, NOT_THERE)]
check(call("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
seccomp(b"".join(struct.pack("HBBI", *step) for step in [*steps, (RETURN, 0, 0, ALLOWED)]))
os.execv(program[0], program)
