"""`get_ipython().set_custom_exc()`: a handler of the user's for exceptions of cells."""

from __future__ import annotations

import sys

from ..cells import execute


class CustomExceptions:
    """Methods of the shell. The host always gets the exception of a cell; the handler shows that of `run_cell`."""

    custom_exceptions: tuple = ()
    _handler = None
    _is_handling = False  # the host shows the exception: a handler that calls showtraceback() must not show it again

    def set_custom_exc(self, exc_tuple, handler) -> None:
        """Call `handler(shell, etype, value, tb, tb_offset=None)` for these exceptions; `((), None)` removes it."""
        if not isinstance(exc_tuple, tuple):
            raise TypeError("The custom exceptions must be given as a tuple.")
        self.custom_exceptions, self._handler = exc_tuple if handler is not None else (), handler
        if handler is not None and self._after_cell not in execute.after_cell:
            execute.after_cell.append(self._after_cell)

    def _after_cell(self, problem: "BaseException | None") -> None:
        if problem is not None and self.is_custom(problem):
            self._is_handling = True
            try:
                self.handle_custom(problem)
            finally:
                self._is_handling = False

    def is_custom(self, problem: BaseException) -> bool:
        return bool(self.custom_exceptions) and isinstance(problem, self.custom_exceptions)

    def handle_custom(self, problem: BaseException) -> None:
        """A handler that fails, or returns neither None nor lines of text, is removed."""
        try:
            lines = self._handler(self, type(problem), problem, problem.__traceback__, tb_offset=None)  # type: ignore[misc]
            lines = [] if lines is None else [lines] if isinstance(lines, str) else lines
            if not (isinstance(lines, list) and all(isinstance(line, str) for line in lines)):
                raise TypeError("the handler must return None, a text or a list of texts, not %r" % (lines,))
        except Exception as error:
            from ..cells.errors import describe

            self.set_custom_exc((), None)
            print("Custom TB Handler failed, unregistering", *describe(error)[2], sep="\n", file=sys.stderr)
            return
        if lines:
            print("\n".join(lines))
