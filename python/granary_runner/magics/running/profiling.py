"""%prun: where a statement spends its time."""

from __future__ import annotations

from ...cells import compiling
from ..call import MagicCall
from ..syntax.options import FLAG, VALUE, Options
from ..syntax.usage_error import UsageError

_OPTIONS = {"-l": VALUE, "-r": FLAG, "-s": VALUE, "-T": VALUE, "-D": VALUE, "-q": FLAG}
_USAGE = "[-l LIMIT] [-r] [-s KEY] [-T FILE] [-D FILE] [-q] statement"
_TAKES_VALUE = "lsTD"


class _Words:
    """The options before the code. The code itself is not split into words, because its quotes belong to it."""

    def __init__(self, call: MagicCall) -> None:
        self.given: dict = {}
        text = call.text
        while text.startswith("-") and text[1:2] in "lrsTDq" and text[1:2]:
            name, text = text[:2], text[2:].lstrip()
            if name[1] in _TAKES_VALUE:
                value, _, text = text.partition(" ")
                self.given.setdefault(name, []).append(value)
                text = text.lstrip()
            else:
                self.given[name] = [FLAG]
        if text.startswith("-"):
            Options(call, _OPTIONS, _USAGE)  # refuses it, and lists the options
        self.code = text


def _prun_line(call: MagicCall):
    """Run a statement under Python's profiler: `%prun [-l LIMIT] [-r] [-s KEY] [-T FILE] [-D FILE] [-q] statement`.

    -l keeps that many lines, a part of them (0.25), or those that contain a text; -s sorts by time, cumulative, calls, name
    and so on; -r returns the statistics; -T writes the table into a file, -D the statistics; -q shows nothing.
    """
    words = _Words(call)
    if not words.code.strip():
        raise UsageError(f"%prun needs something to run. Usage: %prun {_USAGE}")
    return _profile(call, words, words.code, call.first_line)


def _prun_cell(call: MagicCall):
    """Run the cell under Python's profiler; the options are those of %prun."""
    words = _Words(call)
    return _profile(call, words, call.body, call.first_line)


def _profile(call: MagicCall, words: _Words, code: str, first_line: int):
    import cProfile
    import pstats
    from io import StringIO

    compiled = compiling.compile_cell(code, call.file, first_line)
    if compiled.awaits:
        raise UsageError("%prun cannot run code that awaits at its top level.")
    profiler = cProfile.Profile()
    for part in compiled.parts:
        profiler.runctx(part, call.namespace, call.namespace)  # type: ignore[arg-type]
    table = StringIO()
    statistics = pstats.Stats(profiler, stream=table).strip_dirs()
    try:
        statistics.sort_stats(*words.given.get("-s", ["time"]))
    except KeyError as problem:
        raise UsageError(f"%prun -s does not know {problem}. It knows time, cumulative, calls, name, file, line.") from None
    statistics.print_stats(*map(_limit, words.given.get("-l", [])))
    text = table.getvalue().rstrip() + "\n"
    for path in words.given.get("-T", []):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    for path in words.given.get("-D", []):
        statistics.dump_stats(path)
    if "-q" not in words.given:
        from .. import show_page

        show_page(text)
    return statistics if "-r" in words.given else None


def _limit(text: str):
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


LINE = {"prun": _prun_line}
CELL = {"prun": _prun_cell}
