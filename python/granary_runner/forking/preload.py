"""Modules that a warm interpreter imports ahead of its kernels.

Only installed ones: a project's own modules change while one works on them. A module that leaves something behind which a
fork would break or share spoils the interpreter: the host starts another one without that module.
"""

from __future__ import annotations

import os
import sys
import time

from . import hidden

_LIBRARY = os.path.dirname(os.__file__) + os.sep
_INSTALLED = (os.sep + "site-packages" + os.sep, os.sep + "dist-packages" + os.sep)


def load(names: "list[str]", seconds: float, megabytes: float, tell) -> "tuple[list[str], list[str]]":
    """Import the modules, as far as time and memory allow; returns the names of those that are loaded, and of all top packages
    that came with them."""
    begun = time.monotonic()
    loaded = []
    with hidden.Watch() as added, _Watch() as watch:
        for name in names:
            why = None
            if time.monotonic() - begun > seconds:
                why = "the modules before it took %g s" % seconds
            elif _megabytes() > megabytes:
                why = "the modules before it took %d MB" % megabytes
            elif not _is_installed(name):
                why = "it is not installed, or a module of the project"
            if why is not None:
                tell({"t": "skipped", "module": name, "why": why})
                continue
            tell({"t": "loading", "module": name})
            why = _import(name) or watch.found() or _of_a_project(added.added())
            if why is not None:
                tell({"t": "spoiled", "module": name, "why": why})
                os._exit(0)
            loaded.append(name)
            added.imported(name)
        _import_our_part()
        names_added = added.added()
    hidden.hide(names_added)
    return loaded, hidden.tops(names_added)


def _import_our_part() -> None:
    """Import the parts of Granary that the first cell with a table or a figure needs."""
    from .. import display, formats  # noqa: F401
    from ..cells import errors  # noqa: F401

    if "matplotlib.pyplot" in sys.modules:
        display.flush_figures()  # of which there are none


def _import(name: str) -> "str | None":
    try:
        __import__(name)
    except BaseException as problem:
        return "importing it raised %s" % type(problem).__name__
    return None


def _is_installed(name: str) -> bool:
    """Found without importing it: only its top package's place is looked at."""
    from importlib.machinery import PathFinder

    top = name.partition(".")[0]
    if top in sys.builtin_module_names or top in sys.modules:
        return True
    try:
        spec = PathFinder.find_spec(top)
    except Exception:
        return False
    origin = getattr(spec, "origin", None)
    return origin is not None and _is_in_library(origin)


def _of_a_project(names: set) -> "str | None":
    """Whether a module of a project came along: its author may edit it at any time."""
    for name in names:
        if name.startswith("granary_runner"):
            continue
        origin = getattr(getattr(sys.modules.get(name), "__spec__", None), "origin", None)
        if type(origin) is str and os.sep in origin and not _is_in_library(origin):
            return "it imports %s, which is not installed" % name
    return None


def _is_in_library(origin: str) -> bool:
    return origin.startswith(_LIBRARY) or any(part in origin for part in _INSTALLED)


class _Watch:
    """Notices what an import leaves behind or reaches for."""

    def __init__(self) -> None:
        self._descriptors = _descriptors()
        self._network = False

    def __enter__(self) -> "_Watch":
        import _socket
        import socket

        self._modules = _socket, socket
        self._look_up = _socket.getaddrinfo
        _socket.getaddrinfo = self._noting(_socket.getaddrinfo)
        socket.socket.connect = self._noting(_socket.socket.connect)
        socket.socket.connect_ex = self._noting(_socket.socket.connect_ex)
        return self

    def __exit__(self, *_) -> None:
        _socket, socket = self._modules
        _socket.getaddrinfo = self._look_up
        del socket.socket.connect, socket.socket.connect_ex

    def found(self) -> "str | None":
        if self._network:
            return "it uses the network while it is imported"
        if _threads() > 0:
            return "it starts threads while it is imported"
        opened = _descriptors() - self._descriptors
        if opened:
            return "it opens files while it is imported, and leaves them open"
        return None

    def _noting(self, function):
        def note(*args, **options):
            self._network = True
            return function(*args, **options)

        return note


def _threads() -> int:
    """Threads that a fork would leave behind. OpenBLAS ends its own before each fork, so one comes first."""
    quietly(_fork_and_end)
    try:
        threads = os.listdir("/proc/self/task")
    except OSError:
        import _thread

        return _thread._count()
    return sum(not _comes_back(thread) for thread in threads) - 1 - _numexpr_threads()


def _fork_and_end() -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def quietly(function):
    """Python 3.12 and later warn of a fork beside threads; we have looked at them."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function()


def _comes_back(thread: str) -> bool:
    """jemalloc, which pyarrow has with it, starts its thread again in a child."""
    try:
        with open("/proc/self/task/%s/comm" % thread) as file:
            return file.read().strip() == "jemalloc_bg_thd"
    except OSError:
        return True  # it has just ended


def _numexpr_threads() -> int:
    """numexpr notices that it is in a child, and starts its threads again; pandas imports it. They have no name."""
    numexpr = sys.modules.get("numexpr")
    return getattr(numexpr, "nthreads", 0) if numexpr is not None else 0


def _descriptors() -> set:
    """The open descriptors and their targets. Listing opens one more, which is closed again when its target is read."""
    found = set()
    for name in os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else ():
        try:
            found.add((name, os.readlink("/proc/self/fd/" + name)))
        except OSError:
            pass
    return found


def _megabytes() -> float:
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    except OSError:
        return 0.0
