"""Whether kernels can be forked from this interpreter, before it has imported anything.

A `.pth` file or sitecustomize of a debugger or a monitoring agent may start threads and connections with Python. Kernels would have
these threads stopped, and share the connections.
"""

from __future__ import annotations

import os

from . import descriptors, threads

_WHO = "a .pth file or sitecustomize "


def problem(known: "tuple[int, ...]") -> "str | None":
    """`known`: the descriptors that Python was given, or has made for the host."""
    if threads.lost_in_fork() > 0:
        return _WHO + "starts a thread when Python starts"
    if descriptors.opened_since_start(known):
        return _WHO + "opens a file or a connection when Python starts"
    if has_children():
        return _WHO + "starts a process when Python starts"
    return None


def has_children() -> bool:
    if not hasattr(os, "waitid"):  # macOS before Python 3.13
        return False
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True
