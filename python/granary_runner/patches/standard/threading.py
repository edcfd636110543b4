"""Prints an exception of a thread with the cell's lines: before Python 3.13, C code omits them."""

from __future__ import annotations

import sys


def apply(threading) -> None:
    if sys.version_info >= (3, 13):
        return

    def excepthook(args) -> None:
        if args.exc_type is SystemExit or sys.stderr is None:
            return
        from ...cells.errors import print_exception

        name = args.thread.name if args.thread is not None else threading.get_ident()
        print("Exception in thread %s:" % name, file=sys.stderr)
        print_exception(args.exc_value)

    threading.excepthook = excepthook
