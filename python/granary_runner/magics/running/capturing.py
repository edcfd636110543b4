"""%%capture: a cell that shows nothing now and can be shown later.

Captures prints of Python code, displays, and the output of `!cmd` and %%bash, but not the output of other programs and
C code on the descriptors 1 and 2.
"""

from __future__ import annotations

import builtins
import io
import sys

from ...cells import execute
from ...wire import emit
from ..call import MagicCall
from ..syntax.options import FLAG, Options

_OPTIONS = ("--no-stdout", "--no-stderr", "--no-display")


class Captured:
    """The captured output of a cell."""

    def __init__(self) -> None:
        self._stdout = _Memory()
        self._stderr = _Memory()
        self.outputs: list[CapturedDisplay] = []

    @property
    def stdout(self) -> str:
        return self._stdout.text()

    @property
    def stderr(self) -> str:
        return self._stderr.text()

    def show(self) -> None:
        sys.stdout.write(self.stdout)
        sys.stderr.write(self.stderr)
        for output in self.outputs:
            output.display()

    __call__ = show

    def __str__(self) -> str:
        return self.stdout

    def __repr__(self) -> str:
        return f"<captured: {len(self.stdout)} characters, {len(self.outputs)} displays>"


class CapturedDisplay:
    """One captured display, which can be shown again."""

    def __init__(self, data: dict, metadata: dict, *how: object) -> None:
        self.data = data
        self.metadata = metadata
        self._how = how

    def display(self) -> None:
        emit.display(self.data, self.metadata, *self._how)

    def _repr_mimebundle_(self, include=None, exclude=None) -> tuple[dict, dict]:
        return self.data, self.metadata


class _Memory(io.TextIOWrapper):
    """A text stream with a `buffer`, as programs expect of sys.stdout, that keeps everything."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), "utf-8", "backslashreplace", newline="\n", write_through=True)

    def text(self) -> str:
        return self.buffer.getvalue().decode("utf-8", "replace")  # type: ignore[attr-defined]


def _capture(call: MagicCall) -> None:
    """Run the cell and keep its output: `%%capture [name] [--no-stdout] [--no-stderr] [--no-display]`."""
    options = Options(call, dict.fromkeys(_OPTIONS, FLAG), "[name] [--no-stdout] [--no-stderr] [--no-display]")
    if len(options.rest) > 1:
        raise options.error("%%capture takes one name.")
    captured = Captured()
    for name in options.rest:
        call.namespace[name] = captured
    with Capturing(captured, set(options.given)):
        value = execute.run_source(call.body, call.file, False, call.namespace, call.first_line)
        if value is not None and not call.body.rstrip().endswith(";"):
            builtins.display(value)  # type: ignore[attr-defined]
        if "matplotlib.pyplot" in sys.modules:
            from ... import display

            display.flush_figures()


class Capturing:
    """Replaces the streams and `emit`'s functions with memory, and restores them afterwards."""

    def __init__(self, captured: Captured, left_alone: set[str]) -> None:
        self._captured = captured
        self._left_alone = left_alone

    def __enter__(self) -> None:
        self._before = sys.stdout, sys.stderr, emit.display, emit.clear
        if "--no-stdout" not in self._left_alone:
            sys.stdout = self._captured._stdout
        if "--no-stderr" not in self._left_alone:
            sys.stderr = self._captured._stderr
        if "--no-display" not in self._left_alone:
            emit.display = self._keep
            emit.clear = lambda wait: None  # there is no shown output to clear

    def __exit__(self, *problem: object) -> None:
        sys.stdout, sys.stderr, emit.display, emit.clear = self._before

    def _keep(self, data: dict, metadata: dict, *how: object, page: bool = False) -> None:
        self._captured.outputs.append(CapturedDisplay(data, metadata, *how))


LINE: dict = {}
CELL = {"capture": _capture}
