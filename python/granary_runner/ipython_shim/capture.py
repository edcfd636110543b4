"""`with capture_output() as captured:`, as `IPython.utils.capture` has it."""

from __future__ import annotations

from ..magics.running.capturing import Captured, Capturing

CapturedIO = Captured


class capture_output:
    """Catch what is printed and displayed; each of the three can be left alone."""

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
        """Figures drawn inside belong to what is caught."""
        import sys

        if self.display and "matplotlib.pyplot" in sys.modules:
            from ..display import flush_figures

            flush_figures()
