"""A warm interpreter: imports what its kernels will need, then forks one whenever the host asks.

It stays single-threaded, so that a fork finds no lock held, and runs no code of the user's but imports.
"""

from __future__ import annotations

import gc
import os
import sys

from ..cells import main_module
from ..wire import control, streams
from . import child, fitness, gaps, kernel_mark, rehearsal, renewal
from .ahead import hidden
from .parent import Parent

_parent: "Parent | None" = None  # kernels keep it, because they would own the memory that they free


def serve(prepare) -> "tuple[int, ...]":
    """Serve the host until it goes. Returns only in a child that is to become a kernel, with its channels."""
    global _parent
    kernel_mark.keep_place()
    lifeline = _move_up(4)
    control.arm_lifeline(lifeline)
    parent = _parent = Parent(_move_up(3))
    prepare()
    umask = os.umask(0)
    os.umask(umask)
    _get_ready(parent, lifeline)
    os.umask(umask)
    modules = renewal.needed()
    hidden.begin()
    main_module.search_working_folder()
    # No collection of garbage touches what is here now, so that the kernels share its memory.
    gc.collect()
    gc.freeze()
    gaps.fill()
    request = parent.serve()
    channels = child.leave_parent(request["path"], request["word"], (parent.fd, lifeline))
    if modules:
        renewal.renew(modules)
    return channels


def _move_up(fd: int) -> int:
    private = streams.private_copy(fd)
    os.close(fd)
    return private


def _get_ready(parent: Parent, lifeline: int) -> None:
    loaded: list = []
    tops: list = []
    why = fitness.problem((0, 1, 2, parent.fd, lifeline))
    if why is not None:
        parent.tell({"t": "unfit", "why": why})
        os._exit(0)
    parent.tell({"t": "begun", "path": [entry for entry in sys.path if entry]})
    request = parent.next("preload")
    if request["modules"]:
        from .ahead import preload

        loaded, tops = preload.load(request["modules"], request["seconds"], request["megabytes"], parent.tell)
    if request.get("prelude"):
        from .. import prelude

        prelude.load()
    child.get_ready()
    rehearsal.run()
    if request.get("prelude"):
        prelude.begin()
    parent.tell({"t": "ready", "loaded": loaded, "tops": tops})
