"""pdb handles interrupts itself, at its prompt and after `continue`; here they must end the cell.

It also shows every frame, and steps from the end of a cell into its caller, which is the runner.
"""

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

    original_stop = pdb.Pdb.stop_here
    original_stack = pdb.Pdb.get_stack

    def stop_here(self, frame):
        stops = original_stop(self, frame)
        if not (stops and _is_below_the_cell(frame)):
            return stops
        self.set_continue()
        return False

    def get_stack(self, frame, traceback):
        stack, place = original_stack(self, frame, traceback)
        first = next((at for at, (each, _) in enumerate(stack) if _is_of_a_cell(each)), 0)
        return (stack[first:], place - first) if place >= first else (stack, place)

    pdb.Pdb.stop_here = stop_here
    pdb.Pdb.get_stack = get_stack
    pdb.Pdb.__init__ = __init__
    pdb.Pdb._cmdloop = _cmdloop


def _is_below_the_cell(frame) -> bool:
    """Whether a frame of the runner called the cell, unlike `display()`, which a cell calls."""
    if not frame.f_globals.get("__name__", "").startswith("granary_runner"):
        return False
    while frame is not None and not _is_of_a_cell(frame):
        frame = frame.f_back
    return frame is None


def _is_of_a_cell(frame) -> bool:
    return frame.f_code.co_filename.startswith(("<cell ", "<run_cell "))
