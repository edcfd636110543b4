"""A forked child on its way to a kernel: channels of its own to the host, and nothing of its parent's."""

from __future__ import annotations

import _socket
import os

from ..wire import control, streams
from ..wire import requests as wire_requests
from ..wire.frames import Lines, write_all
from . import kernel_mark

_KIND, _SOCKET = 0o170000, 0o140000  # as in `stat`, which is not imported for them
CHANNELS = ("frames", "control", "interrupts", "lifeline")


def get_ready() -> None:
    """In the parent, ahead of the fork: what every child would import otherwise."""
    # `used_modules` at its end, when the host asks for them.
    from .. import used_modules, working_folder  # noqa: F401


def leave_parent(path: str, word: str, of_others: "tuple[int, ...]") -> "tuple[int, ...]":
    """Connect to the host, which listens at `path` and knows the word; ends where it does not. Returns the channels."""
    try:
        os.setsid()
    except PermissionError:
        pass  # a rehearsal: this process leads a session already
    for fd in of_others:
        os.close(fd)
    try:
        channels = tuple([_greet(path, "%s %s\n" % (word, name)) for name in CHANNELS])
    except OSError:
        _remove(path)  # the host has died between making this and hearing of us
        os._exit(1)
    control.arm_lifeline(channels[3])
    return channels


def wait_for_start(frames_fd: int) -> Lines:
    """Wait until the host needs a kernel, in a folder and with variables that it names."""
    requests, request = wait_until_wanted(frames_fd, "cwd", "env")
    os.chdir(request["cwd"])
    for name, value in request["env"].items():
        os.environ[name] = value
    kernel_mark.begin(request.get("mark"))
    return requests


def wait_until_wanted(frames_fd: int, *needs: str) -> "tuple[Lines, dict]":
    requests = Lines(frames_fd)
    request = wire_requests.next_of(requests, "become-kernel", needs=needs)
    if request is None:
        os._exit(0)
    return requests, request


def renew_event_loop() -> None:
    """An asyncio that was imported ahead has made no loop, since parent and children would share its selector."""
    from ..cells import loop

    loop.current()


def _greet(path: str, greeting: str) -> int:
    fd = connect(path)
    write_all(fd, greeting.encode())
    return fd


def connect(path: str) -> int:
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
