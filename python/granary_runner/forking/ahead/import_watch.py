"""Notices what an import leaves behind, changes or reaches for, that a fork would break or share."""

from __future__ import annotations

import os
import sys

from .. import descriptors, threads
from . import own_changes, process_state
from .origin import is_pythons


class ImportWatch:
    def __init__(self) -> None:
        self._network = False
        self._random = False
        self._at_exit = False
        self._replaced: list = []

    def __enter__(self) -> "ImportWatch":
        process_state.get_ready()
        import _socket
        import atexit
        import random
        import socket

        self._output = _Output()
        self._descriptors = descriptors.open_now()
        self._replace(_socket, "getaddrinfo", self._note_network)
        self._replace(socket.socket, "connect", self._note_network)
        self._replace(socket.socket, "connect_ex", self._note_network)
        self._replace(atexit, "register", self._note_at_exit)
        self._replace(os, "urandom", self._note_random)
        self._replace(random, "_urandom", self._note_random)
        self._replace(random.Random, "seed", self._note_random)
        self._state = process_state.take()
        return self

    def __exit__(self, *_) -> None:
        for owner, name, own in self._replaced:
            if own is None:
                delattr(owner, name)
            else:
                setattr(owner, name, own)
        self._output.close()

    def found(self) -> "str | None":
        if self._network:
            return "it uses the network while it is imported"
        if threads.lost_in_fork() > 0:
            return "it starts threads while it is imported"
        if self._at_exit:
            return "it registers a function for the end of Python"
        if self._random:
            return "it makes random numbers while it is imported"
        changed = process_state.difference(self._state, process_state.take())
        if changed is not None:
            return changed
        if self._output.has_any():
            return "it prints while it is imported"
        if descriptors.open_now() - self._descriptors:
            return "it opens files while it is imported, and leaves them open"
        return None

    def _replace(self, owner, name: str, note) -> None:
        """Of a class, the attribute may be inherited."""
        function = getattr(owner, name)
        self._replaced.append((owner, name, vars(owner).get(name)))

        def noting(*args, **options):
            note()
            return function(*args, **options)

        setattr(owner, name, noting)

    def _note_network(self) -> None:
        self._network = True

    def _note_at_exit(self) -> None:
        caller = sys._getframe(2).f_globals
        is_own = (caller.get("__name__") or "").partition(".")[0] in own_changes.AT_EXIT
        self._at_exit = self._at_exit or not (is_own or is_pythons(caller.get("__file__") or ""))

    def _note_random(self) -> None:
        frame = sys._getframe(2)
        while frame is not None:
            if frame.f_globals.get("__name__") in own_changes.RANDOM:
                return
            frame = frame.f_back
        self._random = True


class _Output:
    """fd 1 and 2, for a while."""

    def __init__(self) -> None:
        self._kept = [(fd, os.dup(fd)) for fd in (1, 2)]
        self._file = _file_in_memory()
        for fd, _ in self._kept:
            os.dup2(self._file, fd)

    def has_any(self) -> bool:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        return os.fstat(self._file).st_size > 0

    def close(self) -> None:
        for fd, kept in self._kept:
            os.dup2(kept, fd)
            os.close(kept)
        os.close(self._file)


def _file_in_memory() -> int:
    if hasattr(os, "memfd_create"):
        return os.memfd_create("granary-output")
    import tempfile

    fd, path = tempfile.mkstemp()
    os.unlink(path)
    return fd
