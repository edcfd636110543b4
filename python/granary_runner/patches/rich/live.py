"""Progress bars and other live displays of rich are plain text: in a notebook rich would draw widgets."""

from __future__ import annotations

import sys


def apply(module) -> None:
    (_adapt_progress if module.__name__ == "rich.progress" else _adapt_live)(module)


def _adapt_live(module) -> None:
    start, stop = module.Live.start, module.Live.stop

    def start_as_text(self, refresh: bool = False) -> None:
        console = self.console
        if console.is_jupyter and not self._started:
            self._in_notebook = console._color_system
            console.is_jupyter, console._color_system = False, None
        start(self, refresh)

    def stop_as_text(self) -> None:
        try:
            stop(self)
        finally:
            if hasattr(self, "_in_notebook"):
                self.console.is_jupyter, self.console._color_system = True, self._in_notebook
                del self._in_notebook

    module.Live.start, module.Live.stop = start_as_text, stop_as_text


def _adapt_progress(module) -> None:
    stop = module.Progress.stop

    def stop_with_newline(self) -> None:
        stop(self)
        if self.console.is_jupyter and not self.disable:
            print(file=self.console.file)  # rich omits its own in notebooks

    module.Progress.stop = stop_with_newline
    if "granary_runner.program" not in sys.modules:
        from . import progress_events

        progress_events.adapt(module)
