"""The end of a program, as in Python: wait for its threads and child processes, call its exit handlers.

For kernels that end with the program. Jupyter kernels get this file's text, so it imports nothing of ours.
"""

from __future__ import annotations

import sys


def finish() -> None:
    threading = sys.modules.get("threading")
    if threading is not None:
        # Executors end their idle threads here; Python 3.8 does so with the exit handlers.
        for call in reversed(getattr(threading, "_threading_atexits", ())):
            call()
        while True:
            threads = unfinished()
            if not threads:
                break
            for thread in threads:
                thread.join()
    processes = sys.modules.get("multiprocessing.process")
    if processes is not None:
        for child in processes.active_children():
            if not child.daemon:
                child.join()
    if "granary_runner" in sys.modules:  # Jupyter kernels still need their own handlers
        _call_exit_handlers()


def unfinished() -> list:
    """The threads that keep a program from ending."""
    threading = sys.modules.get("threading")
    if threading is None:
        return []
    others = [thread for thread in threading.enumerate() if thread is not threading.main_thread()]
    return [thread for thread in others if not thread.daemon and not getattr(thread, "is_pydev_daemon_thread", False)]


def report_unfinished() -> None:
    """Reports with an exception, because nothing else of an internal cell reaches the host."""
    raise LookupError("\n".join(thread.name for thread in unfinished()))


def _call_exit_handlers() -> None:
    import atexit

    try:
        atexit._run_exitfuncs()
    except KeyboardInterrupt:
        raise
    except BaseException:
        pass  # Python has printed it
