"""SIGINT: raised in the running cell, once per attempt, and never in Granary's own code.

The handler decides by the stack. It looks at the innermost frame of a guarded file: if that function is marked as one
that calls user code, and a frame lies above it, the handler raises `KeyboardInterrupt` in that user code.
Anywhere else the interrupt stays pending, and the host, notified of this, sends again. See "Interrupts" in protocol/README.md.

The host counts its attempts at one cell. The first ones go to the SIGINT handler of the user's code, if there is one; the
last ones raise again where the cell continues after it caught the exception.
"""

from __future__ import annotations

import _signal as signal  # `signal` itself imports enum, which costs a kernel's start 4 ms
import os
import sys
from _thread import get_ident

_ATTEMPTS_FOR_USERS_HANDLER = 2
_LAST_ATTEMPTS = 4  # from this one on

_fd = -1
journal = -1  # where the host looks for what it does not have to know at once; -1 without one
_DELIVERED = 8  # the place in the journal, behind the number of the cell
_current = 0  # the running cell; 0 between cells
_finished = 0  # the newest cell that has ended
_early = 0  # a cell to interrupt as soon as it begins
_attempt = 0  # at the current cell; 0 when the signal did not come from the host
_delivered = (0, 0)  # cell and attempt
_letter = "d"  # the answer for the delivered one
_answered = (0, 0)  # cell and attempt of the last answer
_raised: "BaseException | None" = None  # for the delivered one
_unheard = 0  # numbers that were read, but whose signals may still come
_users_trace = None  # the trace function that `_raise_when_swallowed` has put aside
main_thread = get_ident()
pending = False

# The result of `signal.getsignal(SIGINT)` in the user's code; None means Python's own handler. The operating system only
# ever knows `_handle`, which calls this one where it can do no harm (patches/signal.py).
users_handler = None
is_installed = False

_guarded: set = set()  # file names
_calls_user_code: set = set()  # code objects
_waits: set = set()  # code objects in which raising is right at any point
_cancels: dict = {}  # code object -> a function that cancels its event loop, and the files of that loop


def guard(*files: str) -> None:
    """The handler never raises `KeyboardInterrupt` in these files, except in functions marked below."""
    _guarded.update(files)


def calls_user_code(function):
    """This function calls user code: the handler raises above it, never in it."""
    _calls_user_code.add(function.__code__)
    return function


def waits(function):
    """This function waits for something, and may be interrupted at any point."""
    _waits.add(function.__code__)
    return function


def cancels(cancel, loop_files: "tuple[str, ...]"):
    """This function runs an event loop: if only the loop's own code lies above it, the handler does not raise, but
    calls `cancel()`, which returns whether there was a task to cancel."""

    def mark(function):
        _cancels[function.__code__] = (cancel, loop_files)
        return function

    return mark


def install(fd: int) -> None:
    global _fd, is_installed, _current, _finished, _early, _attempt, _delivered, _answered, _raised, _unheard, pending
    _fd = fd
    _current = _finished = _early = _attempt = _unheard = 0  # the host counts cells from 1
    _delivered = _answered = (0, 0)
    _raised = None
    pending = False
    os.set_blocking(fd, False)
    signal.signal(signal.SIGINT, _handle)
    is_installed = True
    if sys.unraisablehook is sys.__unraisablehook__:
        sys.unraisablehook = _swallowed


def park() -> None:
    """No host is connected; another one may be later."""
    global _fd
    _fd = -1


def begin(cell: int) -> None:
    global _current, _attempt, pending, _unheard
    pending = False
    _unheard = 0
    _attempt = 0
    _current = cell  # from here on the handler knows the cell; interrupts noted before come next
    if _early == cell:
        _attempt = 1
        pending = True
    _take_over()


def end() -> None:
    """The cell has ended: drop later interrupts for it."""
    global _current, _finished, pending, _raised
    if _current:
        _finished = _current
    _current = 0
    pending = False
    _raised = None
    if _attempt >= _LAST_ATTEMPTS:
        sys.settrace(_users_trace)
    _take_over()


def _take_over() -> None:
    """A handler set with `_signal`, past patches/signal.py, is still the user's."""
    found = signal.getsignal(signal.SIGINT)
    if found is not _handle:
        use_handler(None if found is signal.default_int_handler else found)


def use_handler(handler) -> None:
    """Set the user's handler; None for Python's own behaviour. On the main thread only."""
    global users_handler
    signal.signal(signal.SIGINT, _handle)  # also undoes siginterrupt() for the previous handler
    users_handler = handler


def ignored_by_user() -> bool:
    return isinstance(users_handler, int) and users_handler == signal.SIG_IGN


def _is_for_users_handler() -> bool:
    is_default = users_handler is None or isinstance(users_handler, int) and users_handler == signal.SIG_DFL
    return not is_default and _attempt <= _ATTEMPTS_FOR_USERS_HANDLER


def raise_pending() -> None:
    """A point in Granary's code where a pending interrupt may raise."""
    if pending and get_ident() == main_thread:
        if _is_for_users_handler():
            _hand_over(sys._getframe(1))
        else:
            raise _deliver()


def raise_pending_in(caller) -> None:
    """The same for code that Granary also calls itself: only if `caller` is user code."""
    if pending and _place(caller) == "user":
        raise_pending()


def _deliver() -> KeyboardInterrupt:
    global _raised
    _note("d")
    _raised = KeyboardInterrupt()
    return _raised


def _hand_over(frame) -> None:
    _note("u")
    if callable(users_handler):
        _call_users_handler(frame)


@calls_user_code
def _call_users_handler(frame) -> None:
    users_handler(signal.SIGINT, frame)


def _note(letter: str) -> None:
    """Python has reacted to the attempt."""
    global pending, _delivered, _letter, _raised
    pending = False
    _delivered = (_current, _attempt)
    _letter = letter
    _raised = None
    host_repeats = _answered == _delivered  # after an answer that nothing was raised
    if letter != "d" or host_repeats or not _enter_delivered(_current, _attempt):
        _answer(letter, _current)


def _enter_delivered(cell: int, attempt: int) -> bool:
    """In place of an answer: most cells end at once, and to wake the host twice would take a quarter of the time until then."""
    if journal < 0:
        return False
    try:
        os.pwrite(journal, cell.to_bytes(4, "little") + attempt.to_bytes(4, "little"), _DELIVERED)
    except (OSError, OverflowError):
        return False
    return True


def _handle(signum, frame) -> None:
    global _attempt, _early
    cell, attempt = _wanted()
    if cell == 0:
        # Not from the host: os.kill(os.getpid(), SIGINT), _thread.interrupt_main(). Python's own behaviour.
        if _current:
            _strike(frame)
    elif cell <= _finished:
        _answer("x", cell, attempt)
    elif cell != _current:
        _early = cell
        _answer("e", cell, attempt)
    elif (cell, attempt) <= _delivered and not _lost():
        _answer(_letter, cell, attempt)
    else:
        _attempt = attempt
        _strike(frame)


def _strike(frame) -> None:
    global pending
    place = _place(frame)
    is_last = _attempt >= _LAST_ATTEMPTS
    if place == "ours":
        pending = True
        _answer("p", _current)
    elif _is_for_users_handler():
        _hand_over(frame)
    elif place == "user":
        if is_last:
            _raise_when_swallowed(frame)
        raise _deliver()
    elif is_last:  # the task continues after every cancel
        raise _deliver()
    elif place():
        _note("d")
    else:
        pending = True
        _answer("p", _current)


def _raise_when_swallowed(frame) -> None:
    """Code that catches the exception in a loop gets another one right after its `try`."""
    global _users_trace
    found = sys.gettrace()
    if found is not _trace:
        _users_trace = found
    while frame is not None:
        if frame.f_code.co_filename not in _guarded:
            frame.f_trace = _trace
        frame = frame.f_back
    sys.settrace(_trace)


def _trace(frame, event, value):
    if event == "exception" and issubclass(value[0], KeyboardInterrupt):
        return _until_caught
    if event == "line" and _current and not _is_handling() and _place(frame) == "user":
        raise KeyboardInterrupt  # raising removes the trace function
    return _trace


def _until_caught(frame, event, _):
    """From Python 3.13 on, an exception may pass additional lines on its way out of an await."""
    return _trace if event == "line" and _is_handling() else _until_caught


def _is_handling() -> bool:
    return isinstance(sys.exc_info()[1], KeyboardInterrupt)


def handle_between_cells(signum, frame) -> bool:
    """For the handler that replaces ours during a question: returns whether the interrupt hit the user's code."""
    _handle(signum, frame)
    return _place(frame) == "user"


def _lost() -> bool:
    """Whether C code lost the exception before any user code saw it.

    CPython checks for signals while it formats `%R` into the message of another exception, and then raises that one instead of
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
    """From the control thread, if the host got no answer: a cell with a handler past ours does not answer, and
    a repeated attempt would be a second interrupt."""
    if cell == _current and signal.getsignal(signal.SIGINT) is not _handle:
        _answer("u", cell, 1)


def _place(frame):
    """The interrupted code: "user", "ours", or the function that cancels a waiting event loop."""
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
    return "user"  # a separate stack, as greenlets have


def _wanted() -> "tuple[int, int]":
    """The newest cell that the host wants to interrupt, and the attempt; zeros without a request."""
    global _unheard
    try:
        data = os.read(_fd, 4096)
    except OSError:
        if not _unheard:
            return 0, 0
        _unheard -= 1  # the signal of a number that an earlier call already read
        return _current or _finished, _attempt
    lines = data.splitlines()
    _unheard += len(lines) - 1
    if not lines:
        return 0, 0
    try:
        cell, attempt = lines[-1].split()
        return int(cell), int(attempt)
    except ValueError:  # damaged: an interrupt that is not from the host
        return 0, 0


def _answer(letter: str, cell: int, attempt: "int | None" = None) -> None:
    global _answered
    _answered = (cell, _attempt if attempt is None else attempt)
    try:
        os.write(_fd, b"%b %d %d\n" % (letter.encode(), *_answered))
    except OSError:
        pass


def _swallowed(unraisable) -> None:
    """Python ignores `KeyboardInterrupt` in `__del__` and weakref callbacks: request another attempt."""
    global _delivered
    if _current and unraisable.exc_type is KeyboardInterrupt and _delivered == (_current, _attempt):
        _delivered = (0, 0)
        _enter_delivered(0, 0)
        _answer("r", _current)
        return
    sys.__unraisablehook__(unraisable)


def after_fork() -> None:
    """A forked child is an ordinary Python program."""
    global _current, pending, is_installed
    _current = 0
    pending = False
    is_installed = False
    signal.signal(signal.SIGINT, signal.default_int_handler if users_handler is None else users_handler)
