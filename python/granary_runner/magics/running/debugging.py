"""%debug, %xmode and %tb: a closer look at exceptions."""

from __future__ import annotations

import os
import re
import sys

from ...cells import execute
from ..call import MagicCall
from ..syntax.options import Options, no_arguments
from ..syntax.usage_error import UsageError

_MODES = ("Context", "Docs", "Minimal", "Plain", "Verbose")


def _debug_line(call: MagicCall) -> None:
    """Debug the last exception with pdb, which asks for commands with input(): `%debug`; or step through code: `%debug f(x)`.

    `%debug --breakpoint FILE:LINE f(x)` also stops there. Without a user to answer, the cell ends at the first question.
    """
    if call.text:
        _step_through(call, call.text)
        return
    from ...cells.errors import from_the_cell_on

    traceback = from_the_cell_on(getattr(sys, "last_traceback", None))
    if traceback is None:
        raise UsageError("%debug: nothing has been raised so far. Run it after a cell that failed.")
    import pdb

    debugger = pdb.Pdb(nosigint=True)
    debugger.reset()
    _answered(lambda: debugger.interaction(None, traceback))


def _debug_cell(call: MagicCall) -> None:
    """Step through the cell with pdb."""
    _step_through(call, "\n".join(part for part in (call.text, call.body) if part))


_BREAKPOINT = re.compile(r"""(?:--breakpoint|-b)[ =]\s*(?:"([^"]+):(\d+)"|'([^']+):(\d+)'|(\S+):(\d+))\s*""")


def _step_through(call: MagicCall, source: str) -> None:
    import pdb

    debugger = pdb.Pdb(nosigint=True)
    match = _BREAKPOINT.match(source)
    if match is not None:
        file, line = (part for part in match.groups() if part)
        problem = debugger.set_break(os.path.abspath(os.path.expanduser(file)), int(line))
        if problem:
            raise UsageError(f"%debug: no breakpoint at {file}:{line}. {problem}")
        source = source[match.end() :]
    code = compile(source, call.file, "exec", dont_inherit=True)
    _answered(lambda: debugger.runctx(code, execute.namespace(), call.namespace))


def _answered(debug) -> None:
    """pdb reads commands with input(), because the cell's standard input is empty."""
    import bdb

    try:
        debug()
    except bdb.BdbQuit:
        pass


def _xmode(call: MagicCall) -> None:
    """Choose the detail of shown exceptions: `%xmode [Plain|Context|Verbose|Minimal|Docs]`.

    Minimal shows its name and message. Verbose adds the values of variables. Plain and Context are the usual form.
    Without a name, the next mode is chosen.
    """
    from ...cells import errors

    words = Options(call, usage="[Plain|Context|Verbose|Minimal|Docs]").rest
    if not words:
        place = (_MODES.index(errors.mode) + 1) % len(_MODES)
        mode = _MODES[place]
    else:
        mode = words[0].capitalize()
    if mode not in _MODES or len(words) > 1:
        raise UsageError(f"%xmode knows {', '.join(_MODES)}, not {' '.join(words)}.")
    errors.mode = mode
    print("Exception reporting mode:", mode)


def _tb(call: MagicCall) -> None:
    """Print the last exception again."""
    no_arguments(call)
    from ...cells.errors import describe

    problem = getattr(sys, "last_value", None)
    if problem is None:
        raise UsageError("%tb: nothing has been raised so far.")
    print("\n".join(describe(problem)[2]))


def _pdb(call: MagicCall) -> None:
    """Accepted as off; on is refused: after a cell that failed, run %debug."""
    if call.args.strip().lower() in ("on", "1", ""):
        raise UsageError("%pdb: the debugger does not start by itself here. After a cell that failed, run: %debug")


LINE = {"debug": _debug_line, "xmode": _xmode, "tb": _tb, "pdb": _pdb}
CELL = {"debug": _debug_cell}
