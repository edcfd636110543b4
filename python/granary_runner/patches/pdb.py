"""pdb takes interrupts for itself, at its prompt and after `continue`; here they must end the cell."""

from __future__ import annotations


def apply(pdb) -> None:
    original = pdb.Pdb.__init__

    def __init__(self, *args, **options):
        given_by_position = len(args) > 4
        if not given_by_position:
            options.setdefault("nosigint", True)
        original(self, *args, **options)

    def _cmdloop(self):
        self.allow_kbdint = False
        self.cmdloop()

    pdb.Pdb.__init__ = __init__
    pdb.Pdb._cmdloop = _cmdloop
