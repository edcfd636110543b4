"""A copy on its way to a kernel: the parts of the former process that it must not use, or cannot."""

from __future__ import annotations

import os
import sys


def renew(is_alone: bool) -> None:
    """`is_alone`: the kernel that it was copied from has ended, so what that one would remove at its end is ours."""
    from ..wire import replay_folder

    replay_folder.inherit(is_alone)
    threading = sys.modules.get("threading")
    if threading is not None:
        threading.main_thread()._set_native_id()
    bars = sys.modules.get("tqdm.std")
    if bars is not None:
        bars.tqdm.monitor = None
    large_values = sys.modules.get("granary_runner.wire.large_values")
    if large_values is not None:
        large_values.forget()
    if "granary_runner.cells.loop" in sys.modules:
        from . import event_loop

        event_loop.renew()


def lost() -> "list[str]":
    """Temporary folders that the former process has removed."""
    weakref = sys.modules.get("weakref")
    tempfile = sys.modules.get("tempfile")
    if weakref is None or tempfile is None:
        return []
    folders = []
    for info in list(weakref.finalize._registry.values()):
        cleanup = getattr(info.func, "__func__", info.func)
        if cleanup is tempfile.TemporaryDirectory._cleanup.__func__ and not os.path.exists(info.args[0]):
            folders.append("the temporary folder %s" % info.args[0])
    return folders
