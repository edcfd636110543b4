"""%history: the cells of this session."""

from __future__ import annotations

from ...cells import execute
from ..call import MagicCall
from ..syntax.options import FLAG, VALUE, Options

_OPTIONS = {"-n": FLAG, "-o": FLAG, "-p": FLAG, "-t": FLAG, "-u": FLAG, "-g": FLAG, "-l": VALUE, "-f": VALUE}
_USAGE = "[-n] [-o] [-p] [-u] [-g PATTERN] [-l COUNT] [-f FILE] [RANGE …]"


def _history(call: MagicCall) -> None:
    """Print the cells of this session, or those named as 3, 2-5: `%history [-n] [-o] [-p] [-u] [-g PATTERN] [-l COUNT] [-f FILE] [RANGE …]`.

    -n adds their numbers, -o their results, -p prompts; -u omits repeated cells; -g keeps those that contain a
    pattern; -l keeps the last ones; -f writes into a file.
    """
    options = Options(call, _OPTIONS, _USAGE)
    numbers = _numbers(options)
    if "-u" in options:
        last = {execute.inputs[number]: number for number in numbers}
        numbers = [number for number in numbers if last[execute.inputs[number]] == number]
    text = "".join(_shown(number, options) for number in numbers)
    if "-f" not in options:
        print(text, end="")
        return
    with open(options.given["-f"], "w", encoding="utf-8") as file:
        file.write(text)


def _numbers(options: Options) -> list:
    from ...ipython_shell.history import ranges

    known = range(1, len(execute.inputs))
    if "-g" in options:
        from fnmatch import fnmatchcase

        pattern = "*%s*" % " ".join(options.rest)
        found = [number for number in known if fnmatchcase(execute.inputs[number], pattern)]
    elif options.rest:
        try:
            parts = list(ranges(" ".join(options.rest)))
        except ValueError as problem:
            raise options.error(f"%history: {problem}.") from None
        found = [number for start, stop in parts for number in known[max(start - 1, 0) : max(stop - 1, 0)]]
    else:
        found = list(known)
    if "-l" in options:
        if not options.given["-l"].isdigit():
            raise options.error("%history -l needs a count.")
        found = found[-int(options.given["-l"]) :] if int(options.given["-l"]) else []
    return [number for number in found if execute.inputs[number]]  # `%reset in` empties them


def _shown(number: int, options: Options) -> str:
    source = execute.inputs[number]
    if "-p" in options:
        source = ">>> " + source.replace("\n", "\n... ")
    if "-n" in options:
        source = ("%4d:\n%s" if "\n" in source else "%4d: %s") % (number, source)
    text = source + "\n"
    if "-o" in options and number in execute.outputs:
        text += _text_of(execute.outputs[number]) + "\n"
    return text


def _text_of(value) -> str:
    from ...formats.registered import text_of

    try:
        return text_of(value)
    except Exception as problem:
        return f"<{type(problem).__name__} while looking at it>"


LINE = {"history": _history, "hist": _history}
CELL: dict = {}
