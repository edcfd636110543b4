"""Calls of the user's code on behalf of a question: completion, inspection.

Inspecting a value may run code of its class: a property, `__getattr__`, `__dir__`, `__signature__`. No exception of such code
ends the question, and all such code together has one second, so that the next cell does not wait. After that it is
interrupted repeatedly by SIGINT from a thread of ours, and no more of it is called. Only C code that never returns to
Python, `os._exit` and crashes are out of reach.
"""

from __future__ import annotations

import _signal as signal
import _thread
import sys

from ..cells import interrupt

_SECONDS = 1.0
_PAUSE = 0.05  # between two interrupts of code that does not end

interrupt.guard(__file__)

_clock: "_Clock | None" = None  # of the current question; None while a cell inspects an object with `obj?`


class TookTooLong(BaseException):
    """Raised in the user's code when the question times out."""


class _Clock:
    """The time of one question."""

    def __init__(self) -> None:
        self.over = False
        self._rings = 0
        self._ended = False
        self._ending = _thread.allocate_lock()  # prevents signals after the question has ended
        self._waiting = _thread.allocate_lock()
        self._waiting.acquire()
        try:
            _thread.start_new_thread(self._watch, ())
        except RuntimeError:
            self.over = True  # without a thread there is no timeout, so no user code is called

    def _watch(self) -> None:
        patience = _SECONDS
        while not self._waiting.acquire(True, patience):
            with self._ending:
                if self._ended:
                    return
                self.over = True
                signal.pthread_kill(interrupt.main_thread, signal.SIGINT)
            patience = _PAUSE

    def ring(self, signum, frame) -> None:
        """The SIGINT handler during a question."""
        in_users_code = interrupt.handle_between_cells(signum, frame)
        if self.over and not self._ended and in_users_code:
            self._rings += 1
            if self._rings > 1:
                _raise_at_next_line(frame)
            raise TookTooLong

    def end(self) -> None:
        with self._ending:
            self._ended = True
        self._waiting.release()


def answered_in_time(answer, *arguments):
    """`answer(*arguments)`; all its attempts together have one second."""
    global _clock
    handler = signal.getsignal(signal.SIGINT)
    if handler is None:  # set by C code, so it could not be restored
        return answer(*arguments)
    if _thread.get_ident() != interrupt.main_thread:  # an editor asks from a thread of its own, which keeps no cell waiting
        return answer(*arguments)
    _clock = clock = _Clock()
    signal.signal(signal.SIGINT, clock.ring)
    try:
        return answer(*arguments)
    finally:
        clock.end()
        signal.signal(signal.SIGINT, handler)  # first handles signals that were already sent
        _clock = None


def is_asked() -> bool:
    """Whether a question is being answered, not a cell with `obj?` run."""
    return _clock is not None


def is_time_over() -> bool:
    return _clock is not None and _clock.over


@interrupt.calls_user_code
def attempt(function, *arguments, otherwise=None):
    """`function(*arguments)`, or `otherwise` if it raises or takes too long."""
    clock = _clock
    if clock is not None and clock.over:
        return otherwise
    trace = sys.gettrace()
    try:
        return function(*arguments)
    except KeyboardInterrupt:
        if clock is None:
            raise  # the cell is being interrupted
        return otherwise
    except BaseException:
        return otherwise
    finally:
        if sys.gettrace() is not trace:
            sys.settrace(trace)


def _raise_at_next_line(frame) -> None:
    """For code that catches everything and continues: an exception raised at the start of its `except` is not caught."""

    def again(frame, event, argument):
        if event == "line":
            raise TookTooLong  # Python then removes this trace function
        return again

    while frame is not None and frame.f_code is not attempt.__code__:
        frame.f_trace = again
        frame = frame.f_back
    sys.settrace(again)
