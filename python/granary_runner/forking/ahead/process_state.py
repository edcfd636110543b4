"""Changes that an import can make to a process beside its own modules, for all kernels that are forked later.

Each part has a sentence for the module that changes it. Data inside other modules (an entry in a registry) is not looked at.
"""

from __future__ import annotations

import _signal
import gc
import os
import sys
import time

from .. import fitness
from . import own_changes, replaced_functions

_OF_GLIBC = 3 << 31  # signals 32 and 33, which glibc handles once a library has used threads


def take() -> dict:
    """The state, by sentence. Values are compared with ==; objects are represented by their identity."""
    return {sentence: look() for sentence, look in _PARTS.items()}


def difference(before: dict, after: dict) -> "str | None":
    for sentence, value in before.items():
        if after[sentence] is not None and after[sentence] != value:
            return sentence
    return None


def _ids(values: dict) -> dict:
    return {name: id(value) for name, value in values.items()}


def _builtins() -> dict:
    # C++ modules that are made with pybind11 share their types there.
    return {name: one for name, one in _ids(vars(sys.modules["builtins"])).items() if not name.startswith("__pybind11_")}


def _variables() -> dict:
    return own_changes.variables_without(os.environ._data)


def _sys() -> tuple:
    # Hooks, streams and flags are attributes; the lists have their contents compared.
    lists = (sys.path, sys.path_hooks, sys.argv, sys.warnoptions)
    return _ids(vars(sys)), [list(one) for one in lists], [id(finder) for finder in sys.meta_path if not own_changes.is_of_package(finder)]


def _streams() -> list:
    found = (getattr(sys, name) for name in ("stdin", "stdout", "stderr"))
    return [tuple(getattr(one, name, None) for name in ("encoding", "errors", "line_buffering", "closed")) for one in found]


def _limits_of_python() -> tuple:
    functions = ("getrecursionlimit", "getswitchinterval", "gettrace", "getprofile", "getdlopenflags", "get_asyncgen_hooks")
    more = ("get_coroutine_origin_tracking_depth", "get_int_max_str_digits")
    threading = sys.modules["threading"]
    of_threads = threading._trace_hook, threading._profile_hook, threading.excepthook, threading.stack_size()
    return tuple(getattr(sys, name, int)() for name in functions + more), of_threads


def _signals() -> tuple:
    handlers = [_signal.getsignal(number) for number in range(1, _signal.NSIG)]
    timers = [_signal.getitimer(which) for which in (_signal.ITIMER_REAL, _signal.ITIMER_VIRTUAL, _signal.ITIMER_PROF)]
    return handlers, timers, _signal.pthread_sigmask(_signal.SIG_BLOCK, ()), _status("SigIgn", "SigCgt")


def _status(*names: str) -> "list[int]":
    """Handlers of C code, which Python does not know."""
    try:
        with open("/proc/self/status") as file:
            lines = dict(line.split(":", 1) for line in file)
    except OSError:
        return []
    return [int(lines.get(name, "0"), 16) & ~_OF_GLIBC for name in names]


def _umask() -> int:
    umask = os.umask(0)
    os.umask(umask)
    return umask


def _limits() -> list:
    import resource

    names = sorted(name for name in dir(resource) if name.startswith("RLIMIT_"))
    return [resource.getrlimit(getattr(resource, name)) for name in names]


def _priority() -> tuple:
    affinity = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
    return os.getpriority(os.PRIO_PROCESS, 0), affinity, os.getpgrp(), _status("NoNewPrivs", "Seccomp"), _name()


def _name() -> str:
    try:
        with open("/proc/self/comm") as file:
            return file.read()
    except OSError:
        return ""


def _locale() -> str:
    import _locale

    return _locale.setlocale(_locale.LC_ALL, None)


def _decimal() -> tuple:
    decimal = sys.modules.get("decimal")
    if decimal is None:
        return (_DECIMAL, _DECIMAL)
    return tuple(_of_context(decimal, context) for context in (decimal.getcontext(), decimal.DefaultContext))


def _of_context(decimal, one) -> tuple:
    traps = sorted(signal.__name__ for signal, is_on in one.traps.items() if is_on)
    return one.prec, one.rounding, one.Emin, one.Emax, one.capitals, one.clamp, traps


_DECIMAL = (28, "ROUND_HALF_EVEN", -999999, 999999, 1, 0, ["DivisionByZero", "InvalidOperation", "Overflow"])


def _garbage() -> tuple:
    return gc.isenabled(), gc.get_threshold(), gc.get_debug(), [id(one) for one in gc.callbacks]


def _logging() -> tuple:
    logging = sys.modules.get("logging")
    if logging is None or not hasattr(logging, "root"):
        return _LOGGING
    root = logging.root
    is_plain = logging.getLoggerClass() is logging.Logger and logging.getLogRecordFactory() is logging.LogRecord
    return len(root.handlers), root.level, root.manager.disable, root.disabled, is_plain


_LOGGING = (0, 30, 0, False, True)


def _warnings() -> tuple:
    warnings = sys.modules["warnings"]
    return id(warnings.showwarning), id(warnings.formatwarning), id(warnings.warn)


def _random() -> "tuple | None":
    if own_changes.DRAWS in sys.modules:
        return None
    return sys.modules["random"].getstate()


def _shared_memory() -> list:
    try:
        with open("/proc/self/maps", "rb") as file:
            maps = file.read()
    except OSError:
        return []
    return [line for line in maps.splitlines() if b" rw-s " in line] if b" rw-s " in maps else []


def _tools() -> tuple:
    """Parts that few modules touch: how processes start, default timeouts, certificates, the event loop's policy."""
    processes = getattr(sys.modules.get("multiprocessing.context"), "_default_context", None)
    ssl = sys.modules.get("ssl")
    policy = getattr(sys.modules.get("asyncio.events"), "_event_loop_policy", None)
    return (
        getattr(processes, "_actual_context", None) is not None,
        sys.modules["_socket"].getdefaulttimeout(),
        ssl is not None and ssl._create_default_https_context is not ssl.create_default_context,
        None if policy is None or type(policy).__module__.startswith("asyncio") else id(policy),
        "_tracemalloc" in sys.modules and sys.modules["_tracemalloc"].is_tracing(),
        sys.modules["faulthandler"].is_enabled(),
    )


_PARTS = {
    "it changes os.environ while it is imported": _variables,
    "it changes `sys` (paths, hooks, streams or arguments) while it is imported": _sys,
    "it changes stdin, stdout or stderr while it is imported": _streams,
    "it changes limits or hooks of Python while it is imported": _limits_of_python,
    "it changes Python's builtins while it is imported": _builtins,
    "it changes the variables of cells while it is imported": lambda: _ids(vars(sys.modules["__main__"])),
    "it changes signal handlers or timers while it is imported": _signals,
    "it changes the working folder while it is imported": os.getcwd,
    "it changes the umask while it is imported": _umask,
    "it changes limits of the process while it is imported": _limits,
    "it changes the priority, name or rights of the process while it is imported": _priority,
    "it changes the locale while it is imported": _locale,
    "it changes the time zone while it is imported": lambda: (time.tzname, time.timezone),
    "it changes the context of `decimal` while it is imported": _decimal,
    "it changes the garbage collection while it is imported": _garbage,
    "it sets up `logging` while it is imported": _logging,
    "it changes how warnings are shown while it is imported": _warnings,
    "it uses Python's random numbers while it is imported": _random,
    "it leaves a process running while it is imported": fitness.has_children,
    "it shares memory between processes": _shared_memory,
    "it sets up processes, sockets or event loops while it is imported": _tools,
    "it replaces functions of Python's own modules while it is imported": replaced_functions.names,
}


def get_ready() -> None:
    """Import what is looked at. Not `logging` and `decimal`, whose states at first are known."""
    import builtins  # noqa: F401
    import faulthandler  # noqa: F401
    import random  # noqa: F401
    import resource  # noqa: F401
    import socket  # noqa: F401
    import threading  # noqa: F401
    import warnings  # noqa: F401
