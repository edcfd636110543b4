"""`with capture_output() as captured:`, as in `IPython.utils.capture`."""

from __future__ import annotations

from ..magics.running.capturing import Captured, Capturing

CapturedIO = Captured


class capture_output:
    """Capture stdout, stderr and displays; each of the three can be excluded."""

    def __init__(self, stdout=True, stderr=True, display=True) -> None:
        self.stdout, self.stderr, self.display = stdout, stderr, display

    def __enter__(self) -> Captured:
        names = {"--no-stdout": self.stdout, "--no-stderr": self.stderr, "--no-display": self.display}
        captured = Captured()
        self._capturing = Capturing(captured, {name for name, wanted in names.items() if not wanted})
        self._capturing.__enter__()
        return captured

    def __exit__(self, *problem) -> None:
        self._show_figures()
        self._capturing.__exit__(*problem)

    def _show_figures(self) -> None:
        """Figures drawn inside are captured."""
        import sys

        if self.display and "matplotlib.pyplot" in sys.modules:
            from ..display import flush_figures

            flush_figures()
