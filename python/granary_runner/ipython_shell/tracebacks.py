"""`get_ipython().InteractiveTB`: exceptions as text, for code that prints them itself."""

from __future__ import annotations

import sys

from ..cells import errors


class Tracebacks:
    """The methods of IPython's class that take an exception and return text."""

    valid_modes = ("Context", "Docs", "Minimal", "Plain", "Verbose")

    @property
    def mode(self) -> str:
        return errors.mode

    def set_mode(self, mode: "str | None" = None) -> None:
        """The same as `%xmode`."""
        after = self.valid_modes[(self.valid_modes.index(errors.mode) + 1) % len(self.valid_modes)]
        wanted = after if mode is None else mode.capitalize()
        if wanted not in self.valid_modes:
            raise ValueError("Unrecognized mode in FormattedTB: <%s>\nValid modes: %s" % (mode, self.valid_modes))
        errors.mode = wanted

    def structured_traceback(self, etype=None, evalue=None, etb=None, tb_offset=None, context=5) -> list:
        """The lines, by default of the current exception."""
        problem = evalue if isinstance(evalue, BaseException) else sys.exc_info()[1]
        return [] if problem is None else errors.describe(problem)[2]

    def stb2text(self, stb) -> str:
        return "\n".join(stb)

    def text(self, etype, value, tb, tb_offset=None, context=5) -> str:
        return self.stb2text(self.structured_traceback(etype, value, tb))

    def __call__(self, etype=None, evalue=None, etb=None) -> None:
        print(self.text(etype, evalue, etb), file=sys.stderr)
