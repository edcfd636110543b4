"""The thread that serves the host while a cell runs: flush, ping, answers to input() and to calls, lists of variables, the stack.

End of file means that the host is gone. On Linux the operating system has killed us by then (see `lifeline`).
"""

from __future__ import annotations

import _signal as signal
import fcntl
import os
import sys
import time

# Imported by name, because gevent replaces those in the module.
from _thread import allocate_lock, get_ident, get_native_id, start_new_thread

from ..cells import interrupt
from . import marks, requests, streams
from .frames import Lines, dumps, write_all

_fd = -1
_main = -1  # the thread that runs cells
_writing = allocate_lock()
handling = allocate_lock()  # held while a request is handled: a fork that holds it finds no lock of ours taken
helpers = 0  # our other threads
native_id = -1  # of this thread, for the operating system
limits = None  # the module, where there are any
answers: dict = {}  # number of the question -> function that takes the answer
replies: dict = {}  # number of the call to the host -> function that takes the reply


def open_channel(fd: int) -> None:
    global _fd, _main, _writing, handling, helpers
    _fd, _main = fd, get_ident()
    helpers = 0
    if handling.locked():  # in a forked kernel, a thread that is gone may hold them
        handling = allocate_lock()
    if _writing.locked():
        _writing = allocate_lock()
    answers.clear()
    replies.clear()


def listen() -> None:
    start_new_thread(_serve, (Lines(_fd),))


def _serve(lines: Lines) -> None:
    global native_id
    native_id = get_native_id()
    while True:
        try:
            line = lines.next()
        except ValueError as problem:
            requests.refuse(b"", problem)
        except MemoryError:  # the cell has reached its limit
            time.sleep(0.01)
            continue
        if line is None:
            end_group()
        try:
            with handling:
                _answer(requests.decoded(line))
        except BaseException:
            pass  # neither damage by a cell nor a damaged line may end this thread


def _answer(request: dict) -> None:
    operation = request["op"]
    if operation == "flush":
        if limits is not None:
            limits.follow()
        streams.pace()
        _note_stack()
    elif operation == "ping":
        _tell({"t": "pong", "id": request["id"]})
    elif operation == "owner":
        interrupt.tell_owner(request["id"])
    elif operation == "answer":
        take = answers.pop(request["ask"], None)
        if take is not None:
            take(request["text"])
    elif operation == "host-reply":
        take = replies.pop(request["call"], None)
        if take is not None:
            take(request["reply"])
    elif operation == "taken":
        from . import large_values

        large_values.taken(request["file"])
    elif operation == "variables":
        # In another thread: releasing a value may run its __del__, and input() and live output must not wait for that.
        _start_helper(_tell_variables, request)
    elif operation == "stack":
        # Not here either: the lines of a file are read, which may be far away.
        _start_helper(_tell_stack, request)
    elif operation == "comms":
        _start_helper(_tell_comms, request)


def _start_helper(function, request: dict) -> None:
    global helpers
    helpers += 1
    start_new_thread(_help, (function, request))


def _help(function, request: dict) -> None:
    global helpers
    try:
        function(request)
    finally:
        helpers -= 1


def _note_stack() -> None:
    from . import emit

    if emit.cell_id is not None and emit.journal() >= 0:
        from ..cells import stack

        stack.note(_main, emit.journal())


def _tell_stack(request: dict) -> None:
    try:
        from ..cells import stack

        found = stack.told(_main, get_ident())
    except BaseException as problem:
        found = {"problem": _text_of(problem)}
    _tell({"t": "stack", "id": request["id"], **found})


def _tell_comms(request: dict) -> None:
    found = {}
    try:
        if "comm" in sys.modules:
            from ..comms.delivery import listing

            found = listing()
    except BaseException:
        pass  # a cell has changed the package: nothing can be said of its comms
    _tell({"t": "comms", "id": request["id"], "comms": found})


def _tell_variables(request: dict) -> None:
    try:
        from ..cells import execute
        from ..values import variables

        found = variables.listing(execute.namespace(), request["most"], request["longest"])
    except BaseException as problem:
        found = {"problem": _text_of(problem)}
    _tell({"t": "variables", "id": request["id"], **found})


def _text_of(problem: BaseException) -> str:
    name = type(problem).__name__
    try:
        return "%s: %s" % (name, problem)
    except BaseException:
        return name


def _tell(frame: dict) -> None:
    line = (dumps(frame) + "\n").encode()
    with _writing:
        write_all(_fd, line)


def end_group() -> None:
    """The host is gone: kill our process group."""
    from . import replay_folder

    replay_folder.remove()
    os.killpg(os.getpgrp(), signal.SIGKILL)


def arm_lifeline(fd: int) -> None:
    """Make Linux send SIGKILL to our whole process group when the host's end of `fd` closes.

    Nothing else helps while C code holds Python's lock: no thread of ours would run.
    """
    if not marks.LINUX:
        return
    set_signal = 10  # F_SETSIG, which the fcntl module names only from Python 3.13 on
    try:
        fcntl.fcntl(fd, set_signal, signal.SIGKILL)
        fcntl.fcntl(fd, fcntl.F_SETOWN, -os.getpgrp())
        fcntl.fcntl(fd, fcntl.F_SETFL, fcntl.fcntl(fd, fcntl.F_GETFL) | os.O_ASYNC)
    except OSError:
        pass  # the thread above still sees end of file
