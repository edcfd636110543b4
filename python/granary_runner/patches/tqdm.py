"""`tqdm.notebook` draws browser widgets, which Granary cannot show: use the text bar."""

from __future__ import annotations


def apply(notebook) -> None:
    text_bar = notebook.std_tqdm

    class tqdm_notebook(text_bar):
        """The text progress bar, which also accepts the widget's arguments."""

        def __init__(self, *args, **kwargs) -> None:
            kwargs.pop("display", None)
            if isinstance(kwargs.get("ncols"), str):  # "100%", "500px"
                del kwargs["ncols"]
            super().__init__(*args, **kwargs)

        def close(self) -> None:
            """An inner bar ends on the row of the outermost one, and all others move down by a row: erase their old text."""
            if getattr(self, "disable", True) or not self.leave or not self.pos:
                super().close()
                return
            with self.get_lock():
                for bar in list(self._instances):
                    bar.clear(nolock=True)
                super().close()
                for bar in list(self._instances):
                    bar.refresh(nolock=True)

    def tnrange(*args, **kwargs):
        """A shortcut for `tqdm(range(*args), **kwargs)`."""
        return tqdm_notebook(range(*args), **kwargs)

    tqdm_notebook.__module__ = notebook.__name__
    notebook.tqdm = notebook.tqdm_notebook = tqdm_notebook
    notebook.trange = notebook.tnrange = tnrange
