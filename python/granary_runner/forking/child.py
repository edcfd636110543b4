"""A forked child on its way to a kernel: channels of its own to the host, and nothing of its parent's."""

from __future__ import annotations

import os
import sys

from ..wire import control, streams
from ..wire import requests as wire_requests
from ..wire.frames import Lines, write_all
from . import hidden, kernel_mark

_KIND, _SOCKET = 0o170000, 0o140000  # as in `stat`, which is not imported for them
CHANNELS = ("frames", "control", "interrupts", "lifeline")


def get_ready() -> None:
    """In the parent, ahead of the fork: what every child would import otherwise."""
    import _socket  # noqa: F401

    # `used_modules` at its end, when the host asks for them.
    from .. import used_modules, working_folder  # noqa: F401


def connect_back(path: str, word: str, of_others: "tuple[int, ...]") -> "tuple[int, ...]":
    """Leave the parent behind and connect to the host, which listens at `path` and knows the word; ends where it does not."""
    os.setsid()
    for fd in of_others:
        os.close(fd)
    try:
        channels = tuple(_greet(path, "%s %s\n" % (word, name)) for name in CHANNELS)
    except OSError:
        _remove(path)  # the host has died between making this and hearing of us
        os._exit(1)
    control.arm_lifeline(channels[3])
    return channels


def wait_for_start(frames_fd: int) -> Lines:
    """Wait until the host needs a kernel, in a folder and with variables that it names."""
    requests, request = wait_until_wanted(frames_fd, "cwd", "env")
    os.chdir(request["cwd"])
    os.environ.update(request["env"])
    kernel_mark.begin(request.get("mark"))
    hidden.begin()
    return requests


def wait_until_wanted(frames_fd: int, *needs: str) -> "tuple[Lines, dict]":
    requests = Lines(frames_fd)
    request = wire_requests.next_of(requests, "become-kernel", needs=needs)
    if request is None:
        os._exit(0)
    return requests, request


def renew_event_loop() -> None:
    """An asyncio that was imported ahead has made no loop, since parent and children would share its selector."""
    if "asyncio" in sys.modules:
        from ..cells import loop

        loop.current()


def _greet(path: str, greeting: str) -> int:
    fd = connect(path)
    write_all(fd, greeting.encode())
    return fd


def connect(path: str) -> int:
    import _socket

    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    connection.connect(path)
    fd = connection.detach()
    private = streams.private_copy(fd)
    os.close(fd)
    return private


def _remove(path: str) -> None:
    try:
        if os.lstat(path).st_mode & _KIND != _SOCKET:  # a damaged request may name a file of the user's
            return
    except OSError:
        return
    for remove, name in ((os.unlink, path), (os.rmdir, os.path.dirname(path))):
        try:
            remove(name)
        except OSError:
            pass
