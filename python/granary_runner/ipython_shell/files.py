"""Files and modules that code asks the shell for."""

from __future__ import annotations

import os
import sys


class Files:
    """Methods of the shell."""

    def mktempfile(self, data: "str | None" = None, prefix: str = "granary_edit_") -> str:
        """The path of a new Python file, deleted at Python's end."""
        import atexit
        import shutil
        import tempfile

        folder = tempfile.mkdtemp(prefix=prefix)
        atexit.register(shutil.rmtree, folder, True)
        path = os.path.join(folder, "cell.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(data or "")
        return path

    def new_main_mod(self, filename: str, modname: str):
        """An empty module to run a file in."""
        module = type(sys)(modname)
        module.__file__ = filename
        return module

    def safe_execfile(self, fname, *where, exit_ignore=False, raise_exceptions=False, shell_futures=False) -> None:
        """Run a Python file in these namespaces. Prints its exception, unless the caller wants it raised."""
        path = os.path.abspath(os.path.expanduser(fname))
        try:
            with open(path, "rb") as file:
                code = compile(file.read(), path, "exec", dont_inherit=True)
            exec(code, *(where or (self.user_ns,)))
        except (Exception, SystemExit) as error:
            is_plain_end = isinstance(error, SystemExit) and (exit_ignore or error.code in (None, 0))
            if raise_exceptions and not is_plain_end:
                raise
            if not is_plain_end:
                self.showtraceback((type(error), error, error.__traceback__))

    def safe_execfile_ipy(self, fname, shell_futures=False, raise_exceptions=False) -> None:
        """Run a file with magics, or a notebook, in the user's namespace."""
        import shlex

        self.run_line_magic("run", shlex.quote(os.fspath(fname)))
