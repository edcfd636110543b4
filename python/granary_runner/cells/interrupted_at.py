"""The traceback of an interrupt: where the code was, without what only an error needs.

Python's own formatter takes a third of the time from the signal to the result: it parses each line again to
place the carets below it. The line says enough where nothing has failed.
"""

from __future__ import annotations

_MOST_FRAMES = 30


def traceback_lines(problem: BaseException, entry, hidden: tuple) -> "list | None":
    """None if the exception has more to tell than its place: a cause, a message, a note."""
    is_plain = type(problem) is KeyboardInterrupt and not problem.args and not vars(problem)
    if not is_plain or problem.__cause__ is not None or problem.__context__ is not None:
        return None
    if _depth(entry) > _MOST_FRAMES:  # recursion, which Python's own formatter folds
        return None
    return [*plain_lines(entry, hidden), "KeyboardInterrupt"]


def plain_lines(entry, hidden: tuple) -> "list[str]":
    """The last frames of a traceback, without the positions in their lines."""
    lines = ["Traceback (most recent call last):"]
    left_out = max(0, _depth(entry) - _MOST_FRAMES)
    if left_out > 0:
        lines.append("  [%d more frames]" % left_out)
    for _ in range(left_out):
        entry = entry.tb_next
    while entry is not None:
        code = entry.tb_frame.f_code
        if not code.co_filename.startswith(hidden):
            lines.append('  File "%s", line %s, in %s' % (code.co_filename, entry.tb_lineno or "?", code.co_name))
            text = _line(code.co_filename, entry)
            if text:
                lines.append("    " + text)
        entry = entry.tb_next
    return lines


def _depth(entry) -> int:
    depth = 0
    while entry is not None:
        depth, entry = depth + 1, entry.tb_next
    return depth


def _line(file: str, entry) -> str:
    import linecache

    linecache.checkcache(file)
    return linecache.getline(file, entry.tb_lineno or 0, entry.tb_frame.f_globals).strip()
