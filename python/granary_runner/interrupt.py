"""SIGINT: raised in the running cell, exactly once, and never in Granary's own code.

The handler decides by the stack. The innermost frame that belongs to a guarded file tells: when that function is one
that calls user code, and something lies above it, user code was interrupted and `KeyboardInterrupt` is raised there.
Anywhere else the interrupt stays pending, the host is told, and sends again. See "Interrupts" in protocol/README.md.
"""

from __future__ import annotations

import _signal as signal  # `signal` itself imports enum, which costs a kernel's start 4 ms
import os
import sys
from _thread import get_ident

_fd = -1
_current = 0  # the running cell; 0 between cells
_finished = 0  # the newest cell that has ended
_early = 0  # a cell to interrupt as soon as it begins
_delivered = 0
_raised: "BaseException | None" = None  # for the delivered one
_unheard = 0  # numbers that were read, but whose signals may still come
main_thread = get_ident()
pending = False

_guarded: set = set()  # file names
_calls_user_code: set = set()  # code objects
_waits: set = set()  # code objects in which raising is right wherever they are
_cancels: dict = {}  # code object -> what cancels the event loop it runs, and the files of that loop


def guard(*files: str) -> None:
    """No `KeyboardInterrupt` is raised in these files, but for the functions marked below."""
    _guarded.update(files)


def calls_user_code(function):
    """This function calls user code: an interrupt is raised above it, never in it."""
    _calls_user_code.add(function.__code__)
    return function


def waits(function):
    """This function waits for something, and may be interrupted at any point."""
    _waits.add(function.__code__)
    return function


def cancels(cancel, loop_files: "tuple[str, ...]"):
    """This function runs an event loop: where only the loop's own code lies above it, nothing is raised, but
    `cancel()` called, which says whether there was something to cancel."""

    def mark(function):
        _cancels[function.__code__] = (cancel, loop_files)
        return function

    return mark


def install(fd: int) -> None:
    global _fd
    _fd = fd
    os.set_blocking(fd, False)
    signal.signal(signal.SIGINT, _handle)
    sys.unraisablehook = _swallowed


def begin(cell: int) -> None:
    global _current, pending, _unheard
    pending = False
    _unheard = 0
    _current = cell  # from here on the handler knows the cell; what it noted before is looked at next
    if _early == cell:
        pending = True
    if signal.getsignal(signal.SIGINT) is not _handle:
        signal.signal(signal.SIGINT, _handle)


def end() -> None:
    """The cell has ended: whatever still comes for it is dropped."""
    global _current, _finished, pending, _raised
    if _current:
        _finished = _current
    _current = 0
    pending = False
    _raised = None
    if signal.getsignal(signal.SIGINT) is not _handle:
        signal.signal(signal.SIGINT, _handle)


def raise_pending() -> None:
    """A point where Granary's code lets a pending interrupt through."""
    if pending and get_ident() == main_thread:
        raise _deliver()


def raise_pending_in(caller) -> None:
    """The same, where Granary's code is used by others too: only when `caller` is user code."""
    if pending and _place(caller) == "user":
        raise_pending()


def _deliver() -> KeyboardInterrupt:
    global pending, _delivered, _raised
    pending = False
    _delivered = _current
    _raised = KeyboardInterrupt()
    _answer("d", _current)
    return _raised


def _handle(signum, frame) -> None:
    global pending, _early, _delivered
    wanted = _wanted()
    if wanted == 0:
        # Not from the host: os.kill(os.getpid(), SIGINT), _thread.interrupt_main(). Python's own behaviour.
        if _current and _place(frame) == "user":
            raise KeyboardInterrupt
    elif wanted <= _finished:
        _answer("x", wanted)
    elif wanted != _current:
        _early = wanted
        _answer("e", wanted)
    elif wanted == _delivered and not _lost():
        _answer("d", wanted)
    else:
        place = _place(frame)
        if place == "user":
            raise _deliver()
        if place != "ours" and place():
            pending = False
            _delivered = wanted
            _answer("d", wanted)
        else:
            pending = True
            _answer("p", wanted)


def handle_between_cells(signum, frame) -> bool:
    """For a handler that stands in for ours while a question is answered: says whether the user's code was hit."""
    _handle(signum, frame)
    return _place(frame) == "user"


def _lost() -> bool:
    """Whether C code has dropped the exception before any of the user's code saw it.

    CPython looks for signals while it formats `%R` into the message of another exception, and puts that one in place of
    ours. An exception that has reached the user's code has its line in the traceback.
    """
    if _raised is None:
        return False
    entry = _raised.__traceback__
    while entry is not None:
        if entry.tb_frame.f_code.co_filename not in _guarded:
            return False
        entry = entry.tb_next
    return True


def tell_owner(cell: int) -> None:
    """From the control thread, when the host has had no answer: a cell that handles SIGINT itself gives none, and
    sending it again would be a second interrupt."""
    if cell == _current and signal.getsignal(signal.SIGINT) is not _handle:
        _answer("u", cell)


def _place(frame):
    """Where the interrupt hit: "user", "ours", or the function that cancels a waiting event loop."""
    above = []
    while frame is not None:
        code = frame.f_code
        if code.co_filename in _guarded:
            if code in _waits:
                return "user"
            if code in _cancels:
                cancel, loop_files = _cancels[code]
                only_loop = all(name.startswith(loop_files) for name in above)
                return cancel if only_loop else "user"
            return "user" if above and code in _calls_user_code else "ours"
        above.append(code.co_filename)
        frame = frame.f_back
    return "ours"


def _wanted() -> int:
    """The newest cell number the host has asked for; 0 when it has asked for nothing."""
    global _unheard
    try:
        data = os.read(_fd, 4096)
    except OSError:
        if not _unheard:
            return 0
        _unheard -= 1  # the signal of a number that an earlier call has read along with its own
        return _current or _finished
    numbers = data.split()
    _unheard += len(numbers) - 1
    return int(numbers[-1]) if numbers else 0


def _answer(letter: str, cell: int) -> None:
    try:
        os.write(_fd, b"%b %d\n" % (letter.encode(), cell))
    except OSError:
        pass


def _swallowed(unraisable) -> None:
    """`KeyboardInterrupt` in `__del__` or a weakref callback is ignored by Python: ask for it once more."""
    global _delivered
    if _current and unraisable.exc_type is KeyboardInterrupt and _delivered == _current:
        _delivered = 0
        _answer("r", _current)
        return
    sys.__unraisablehook__(unraisable)


def after_fork() -> None:
    """A forked child is an ordinary Python program."""
    global _current, pending
    _current = 0
    pending = False
    signal.signal(signal.SIGINT, signal.default_int_handler)
