"""Links to files that a cell has made."""

from __future__ import annotations

import os


class FileLink:
    """A link to a file; as text, its full path."""

    __module__ = "IPython.lib.display"

    def __init__(self, path, url_prefix="", result_html_prefix="", result_html_suffix="<br>") -> None:
        self.path = os.fspath(path)
        if os.path.isdir(self.path) and not isinstance(self, FileLinks):
            raise ValueError("Cannot display a directory using FileLink. Use FileLinks to display '%s'." % self.path)
        self.url_prefix = url_prefix
        self.result_html_prefix, self.result_html_suffix = result_html_prefix, result_html_suffix

    def __repr__(self) -> str:
        return os.path.abspath(self.path)

    def _repr_html_(self) -> str:
        if not os.path.exists(self.path):
            return _missing(self.path)
        return self._link(self.path, self.path)

    def _link(self, path: str, label: str) -> str:
        from html import escape
        from urllib.parse import quote

        address = self.url_prefix + quote(path)
        link = f'<a href="{escape(address)}" target="_blank">{escape(label)}</a>'
        return self.result_html_prefix + link + self.result_html_suffix


class FileLinks(FileLink):
    """Links to the files in a folder; as text, their paths."""

    __module__ = "IPython.lib.display"

    def __init__(self, path, url_prefix="", included_suffixes=None, result_html_prefix="", result_html_suffix="<br>",
                 notebook_display_formatter=None, terminal_display_formatter=None, recursive=True) -> None:
        super().__init__(path, url_prefix, result_html_prefix, result_html_suffix)
        if os.path.isfile(self.path):
            raise ValueError("Cannot display a file using FileLinks. Use FileLink to display '%s'." % self.path)
        self.included_suffixes = tuple(included_suffixes or ("",))
        self.recursive = recursive

    def __repr__(self) -> str:
        return "\n".join(self._paths())

    def _repr_html_(self) -> str:
        if not os.path.isdir(self.path):
            return _missing(self.path)
        return "\n".join(self._link(path, os.path.relpath(path, self.path)) for path in self._paths())

    def _paths(self) -> list:
        found = []
        for folder, subfolders, names in os.walk(self.path):
            subfolders[:] = sorted(subfolders) if self.recursive else []
            found += [os.path.join(folder, name) for name in sorted(names) if name.endswith(self.included_suffixes)]
        return found


def _missing(path: str) -> str:
    from html import escape

    return f"Path (<tt>{escape(path)}</tt>) doesn't exist. It may still be in the process of being generated."
