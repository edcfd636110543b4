"""input() and getpass(): the question goes to the host, the answer comes back on *control*."""

from __future__ import annotations

import builtins
import sys
from _thread import allocate_lock

from ..cells import execute, interrupt
from . import control, emit, marks

_LONGEST_PROMPT = 20_000
_END_OF_INPUT = "\x04"  # Ctrl-D, and what Jupyter's kernels take for the end
_asked = 0
_gave_up_in: "int | None" = None  # the cell in which the host refused to answer


def ask(prompt: str, password: bool) -> str:
    """Ask the host; from any thread, while a cell runs."""
    global _asked
    if emit.cell_id is None:
        raise EOFError("input() works only while a cell is running")
    if not execute.may_ask:
        raise _no_input()
    if len(prompt) > _LONGEST_PROMPT:
        prompt = "… " + prompt[-_LONGEST_PROMPT:]  # the question is at the end
    with marks.lock:
        _asked += 1
        number = _asked
    answered = allocate_lock()
    answered.acquire()
    answer: list = []

    def take(text: "str | None") -> None:
        answer.append(text)
        answered.release()

    control.answers[number] = take
    try:
        emit.send({"t": "ask", "id": emit.cell_id, "ask": number, "prompt": prompt, "password": password})
        _wait(answered)
    finally:
        control.answers.pop(number, None)
    if answer[0] is None:
        _give_up()
    if answer[0] == _END_OF_INPUT:
        raise EOFError("EOF when reading a line")
    return answer[0]


class StdinNotImplementedError(NotImplementedError):
    """Raised by `input()` for a client that cannot be asked."""


def _no_input() -> BaseException:
    """IPython's own exception, if the code may know it."""
    problem = "raw_input was called, but this frontend does not support input requests."
    # Not imported for it: that takes a second, and code that names the class has imported it.
    error = getattr(sys.modules.get("IPython.core.error"), "StdinNotImplementedError", StdinNotImplementedError)
    return error(problem)


def _give_up() -> None:
    """There will be no answer: interrupt the cell. Code that still asks again, as pdb does, gets the end of its input."""
    global _gave_up_in
    if _gave_up_in == emit.cell_id:
        raise EOFError("input() cannot be answered here")
    _gave_up_in = emit.cell_id
    raise KeyboardInterrupt


@interrupt.waits
def _wait(answered) -> None:
    interrupt.raise_pending()
    answered.acquire()


_pythons_own = builtins.input


def replacement_input(prompt: object = "", /) -> str:
    if sys.stdin is not sys.__stdin__:  # the cell replaced it, to feed a program
        return _pythons_own(prompt)
    return ask(str(prompt), False)


# For help(input) and tracebacks.
replacement_input.__name__ = replacement_input.__qualname__ = "input"
replacement_input.__doc__ = "Ask the person or the agent that runs this cell for a line of text."
