"""Why the kernel cannot be copied now. A fork copies only the thread that calls it, and nothing on a graphics card."""

from __future__ import annotations

import _signal as signal
import os
import re
import sys
import time
from _thread import _count

from ..wire import control

_TASKS = "/proc/self/task"
_HARMLESS = ("jemalloc_bg_thd",)  # starts again in a child
_OPENMP = re.compile(r"/[^\s]*/lib(?:gomp|omp|iomp5)[^/\s]*\.so[^/\s]*$", re.M)
_LOOKS, _PAUSE, _LONGEST = 10, 0.002, 0.5  # seconds
_DEVICES = ("torch", "cupy", "tensorflow", "jax", "numba", "pycuda", "cudf")

_seen: frozenset = frozenset()  # the threads when the libraries were last looked for
_pauses: dict = {}  # path of an OpenMP library -> its function that ends the idle threads; None before OpenMP 5.0
_left_behind = 0
_spoiling: dict = {}  # native thread -> why it spoils a copy


def before() -> "str | None":
    looks = (_python_threads, lambda: _unless_it_passes(_nameless_thread), _workers, _child_handler, _event_loop, _graphics_card)
    for look in looks:
        why = look()
        if why is not None:
            return why
    threads = _native_threads()
    if len(threads) == _expected():
        return None
    for thread, why in list(_spoiling.items()):
        if thread in threads:
            return why
        del _spoiling[thread]
    _end_openmp(threads)
    return None


def after() -> "str | None":
    """Native threads that are still there after the fork are missing in the copy."""
    strangers = _unless_it_passes(_strangers)
    if not strangers:
        return None
    names = sorted(set(strangers.values()) - {_own_name()})
    old = sorted(os.path.basename(path) for path, pause in _pauses.items() if pause is None)
    why = "the threads %s of a library" % _listed(names) if names else "threads of a library"
    if old and not names:
        why = "threads of an OpenMP before version 5 (%s)" % _listed(old)
    _spoiling.update(dict.fromkeys(strangers, why))
    return why


def _unless_it_passes(look):
    """A thread that is ending is gone in a moment. On a busy machine it waits for a processor; such looks do not count."""
    found = look()
    looks, give_up = 0, time.monotonic() + _LONGEST
    while found and looks < _LOOKS:
        time.sleep(_PAUSE)
        if not _is_another_running() or time.monotonic() > give_up:
            looks += 1
        found = look()
    return found


def _is_another_running() -> bool:
    """Whether a thread besides this one has something to do, such as to end. The threads of an idle library sleep."""
    return any(_state_of(thread) not in ("S", None) for thread in _native_threads() - {str(os.getpid())})


def _state_of(thread: str) -> "str | None":
    try:
        with open("%s/%s/stat" % (_TASKS, thread)) as file:
            return file.read().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return None


def _strangers() -> "dict[str, str]":
    """Native threads that neither Python nor we have started, with their names; empty when a fork does them no harm."""
    threads = _native_threads()
    if len(threads) <= _expected():
        return {}
    names = {thread: _name_of(thread) for thread in threads - _known_threads()}
    own = _own_name()
    named = {thread: name for thread, name in names.items() if name not in (None, own, *_HARMLESS)}
    if named:
        return named
    unnamed = {thread: name for thread, name in names.items() if name == own}
    return unnamed if len(unnamed) > control.helpers + _restarted_threads() else {}


def begin() -> None:
    """In a kernel made out of a copy, before it has a second thread. Python counts those that the fork left behind, up to 3.12."""
    global _left_behind
    _left_behind = _count()
    _spoiling.clear()


def _count_threads() -> int:
    return _count() - _left_behind


def _expected() -> int:
    return 1 + _count_threads()


def _native_threads() -> frozenset:
    try:
        return frozenset(os.listdir(_TASKS))
    except OSError:
        return frozenset(range(_expected()))


def _python_threads() -> "str | None":
    if _others() <= 0:
        return None
    threading = sys.modules.get("threading")
    names = [] if threading is None else [one.name for one in threading.enumerate() if _is_users(one)]
    return "the %s %s" % ("thread" if len(names) == 1 else "threads", _listed(names)) if names else None


def _nameless_thread() -> "str | None":
    """Started without `threading`."""
    threading = sys.modules.get("threading")
    known = 0 if threading is None else threading.active_count() - 1
    return "a thread" if _others() > known else None


def _others() -> int:
    """How many threads Python has besides the main one and ours."""
    return _count_threads() - 1 - control.helpers


def _is_users(thread) -> bool:
    import threading

    # tqdm starts its monitor again; it only adapts how often a bar is drawn.
    return thread is not threading.main_thread() and type(thread).__name__ != "TMonitor"


def _listed(names: list) -> str:
    shown = ", ".join(names[:3])
    return shown if len(names) <= 3 else "%s and %d more" % (shown, len(names) - 3)


def _workers() -> "str | None":
    processes = sys.modules.get("multiprocessing.process")
    if processes is None or not processes._children:
        return None
    living = [one.name for one in processes.active_children()]
    return "the multiprocessing workers %s" % _listed(living) if living else None


def _child_handler() -> "str | None":
    """Copies are children too, and such a handler would be called for each that ends."""
    return "a handler of SIGCHLD" if callable(signal.getsignal(signal.SIGCHLD)) else None


def _event_loop() -> "str | None":
    ours = sys.modules.get("granary_runner.cells.loop")
    if ours is not None:
        kind = type(ours.current())
        if not kind.__module__.startswith("asyncio."):
            return "the event loop of %s" % kind.__module__.partition(".")[0]
    for name, module, hub in (
        ("gevent", "gevent._hub_local", "get_hub_if_exists"),
        ("eventlet", "eventlet.hubs", "_threadlocal"),
    ):
        found = getattr(sys.modules.get(module), hub, None)
        if found is not None and (found() if callable(found) else getattr(found, "hub", None)) is not None:
            return "the event loop of %s" % name
    return None


def _graphics_card() -> "str | None":
    if not any(name in sys.modules for name in _DEVICES):
        return None
    for name in os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else ():
        try:
            if os.readlink("/proc/self/fd/" + name).startswith(("/dev/nvidia", "/dev/kfd")):
                return "a graphics card (%s)" % _listed([one for one in _DEVICES if one in sys.modules])
        except OSError:
            pass
    return None


def _end_openmp(threads: frozenset) -> None:
    """OpenMP keeps its threads for the next loop, and waits for them for ever in a copy. So they are ended."""
    global _seen
    if not threads <= _seen:
        _seen = threads
        _find_openmp()
    for pause in _pauses.values():
        if pause is not None:
            pause(_HARD)


_HARD = 2


def _find_openmp() -> None:
    try:
        with open("/proc/self/maps") as file:
            paths = set(_OPENMP.findall(file.read()))
    except OSError:
        return
    for path in paths - _pauses.keys():
        import ctypes

        try:
            pause = ctypes.CDLL(path).omp_pause_resource_all
        except (OSError, AttributeError):
            pause = None
        _pauses[path] = pause


def _known_threads() -> set:
    """The main thread, the one that serves the host, and those of tqdm."""
    threading = sys.modules.get("threading")
    others = () if threading is None else threading.enumerate()
    return {str(os.getpid()), str(control.native_id), *(str(getattr(thread, "native_id", None)) for thread in others)}


def _restarted_threads() -> int:
    """Libraries that notice that they are in a child, and start their threads again. These have no names."""
    count = 0
    numexpr = sys.modules.get("numexpr")
    if numexpr is not None:
        count += getattr(numexpr, "nthreads", 0)
    arrow = sys.modules.get("pyarrow")
    if arrow is not None:
        count += arrow.cpu_count() + arrow.io_thread_count() + 1
    if "duckdb" in sys.modules:
        count += _MOST_OF_DUCKDB
    return count


_MOST_OF_DUCKDB = 1024  # it does not say how many it has


def _own_name() -> "str | None":
    return _name_of(str(os.getpid()))


def _name_of(thread: str) -> "str | None":
    try:
        with open("%s/%s/comm" % (_TASKS, thread)) as file:
            return file.read().strip()
    except OSError:
        return None

