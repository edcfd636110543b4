"""pdb takes SIGINT over when a program continues after a breakpoint; here it must stay what interrupts the cell."""

from __future__ import annotations


def apply(pdb) -> None:
    original = pdb.Pdb.__init__

    def __init__(self, *args, **options):
        options.setdefault("nosigint", True)
        if len(args) > 4:  # nosigint was given by position
            del options["nosigint"]
        original(self, *args, **options)

    pdb.Pdb.__init__ = __init__
