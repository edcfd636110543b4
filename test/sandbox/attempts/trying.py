"""The world around the sandbox, in argv[1] as JSON, and what all attempts use.

An attempt is a function that returns if it succeeded, and raises if it was denied. It touches nothing but decoys of the test.
"""

import ctypes
import errno
import json
import os
import subprocess
import sys

world = json.loads(sys.argv[1])
HOME, PROJECT, OUTSIDE = world["home"], world["project"], world["outside"]
libc = ctypes.CDLL(None, use_errno=True)
attempts = {}
inherited = []  # where the descriptors lead with which this process began
for number in os.listdir("/proc/self/fd") if sys.platform == "linux" else []:
    try:
        inherited.append(os.readlink("/proc/self/fd/" + number))
    except OSError:
        pass  # that of the listing


class Denied(Exception):
    pass


def attempt(function):
    attempts[function.__name__.replace("_", " ")] = function
    return function


def syscall(number, *arguments):
    if sys.platform != "linux" or os.uname().machine != "x86_64":
        raise Denied("not tried on this system")
    result = libc.syscall(ctypes.c_long(number), *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def write(path, text="escaped"):
    with open(path, "w") as file:
        file.write(text)


def touch(path):
    """For files of the machine itself: if this succeeds, it leaves them as they were."""
    is_new = not os.path.exists(path)
    open(path, "a").close()
    if is_new:
        os.unlink(path)


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=20)
    if done.returncode != 0:
        raise Denied(done.stdout.decode("utf-8", "replace")[-200:])
    return done.stdout.decode("utf-8", "replace")[:200]


def outcome(function):
    try:
        return "escaped: %r" % (function(),)
    except BaseException as problem:
        name = errno.errorcode.get(getattr(problem, "errno", None) or 0, "")
        return "denied: %s %s" % (type(problem).__name__, name or str(problem)[:80])
