"""Runs an extension module, a file of the user's, in the user's namespace."""

from __future__ import annotations

import sys


class ExtensionFailed(Exception):
    """The message is for the host: place and reason, as JSON."""


def run(source: str, file: str) -> None:
    _show_lines_of(file, source)
    try:
        exec(compile(source, file, "exec", 0, True), sys.modules["__main__"].__dict__)
    except KeyboardInterrupt:
        raise
    except SystemExit as end:
        if end.code is not None and end.code != 0:
            raise ExtensionFailed(_report(end, file)) from None
    except BaseException as problem:
        raise ExtensionFailed(_report(problem, file)) from None


def _show_lines_of(file: str, source: str) -> None:
    """For tracebacks and `inspect`, even if the file is not on Python's machine."""
    runner = sys.modules.get("granary_runner.cells.main_module")
    if runner is not None:
        runner.remember(file, source)
        return
    import linecache

    linecache.cache[file] = (len(source), None, [line + "\n" for line in source.split("\n")], file)


def _report(problem: BaseException, file: str) -> str:
    import json
    import traceback

    story = traceback.TracebackException(type(problem), problem, problem.__traceback__)
    story.stack[:] = [frame for frame in story.stack if not frame.filename.startswith("<granary>")]
    exception = "".join(story.format_exception_only()).strip()
    if isinstance(problem, SyntaxError):  # Python would repeat the line
        exception = "%s: %s" % (type(problem).__name__, problem.msg)
    return json.dumps({"line": _line(problem, file), "exception": exception, "traceback": "".join(story.format())})


def _line(problem: BaseException, file: str) -> "int | None":
    """The running line of the file, or the line with the syntax error."""
    if isinstance(problem, SyntaxError) and problem.filename == file:
        return problem.lineno
    line = None
    entry = problem.__traceback__
    while entry is not None:
        if entry.tb_frame.f_code.co_filename == file:
            line = entry.tb_lineno
        entry = entry.tb_next
    return line
