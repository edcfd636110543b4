"""Prints an exception of a thread with the cell's lines, and starts threads below a limit of memory."""

from __future__ import annotations

import sys


def apply(threading) -> None:
    from ...cells.execute import limits

    if limits is not None:
        for name in ("_start_new_thread", "_start_joinable_thread"):  # the latter from Python 3.13 on
            if hasattr(threading, name):
                setattr(threading, name, limits.followed_by(getattr(threading, name)))
    if sys.version_info < (3, 13):  # C code omits the lines
        _print_lines(threading)


def _print_lines(threading) -> None:
    def excepthook(args) -> None:
        if args.exc_type is SystemExit or sys.stderr is None:
            return
        from ...cells.errors import print_exception

        name = args.thread.name if args.thread is not None else threading.get_ident()
        print("Exception in thread %s:" % name, file=sys.stderr)
        print_exception(args.exc_value)

    threading.excepthook = excepthook
