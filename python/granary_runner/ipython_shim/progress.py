"""A progress bar that changes in place."""

from __future__ import annotations


class ProgressBar:
    """`for step in ProgressBar(100): …`, or set `.progress` yourself after `.display()`."""

    __module__ = "IPython.core.display"
    text_width = 60

    def __init__(self, total) -> None:
        self.total = total
        self.html_width = "60ex"
        self._progress = 0
        self._handle = None

    def __repr__(self) -> str:
        done = int(self.text_width * (self._progress / self.total if self.total else 1))
        return f"[{'=' * done}{' ' * (self.text_width - done)}] {self._progress}/{self.total}"

    def _repr_html_(self) -> str:
        return f'<progress style="width:{self.html_width}" max="{self.total}" value="{self._progress}"></progress>'

    def display(self) -> None:
        from ..display import display

        self._handle = display(self, display_id=True)

    def update(self) -> None:
        if self._handle is not None:
            self._handle.update(self)

    @property
    def progress(self):
        return self._progress

    @progress.setter
    def progress(self, value) -> None:
        self._progress = value
        self.update()

    def __iter__(self):
        self._progress = 0
        self.display()
        for step in range(self.total):
            self.progress = step + 1
            yield step
