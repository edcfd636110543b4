"""Code that asks for the file of a cell's function usually opens it, so it gets a file that exists.

Python's own modules need the name for a message (doctest, pdb) or for lines (inspect itself), and know cells by their names.
"""

from __future__ import annotations

import os
import sys

_LIBRARY = os.path.dirname(os.__file__) + os.sep
_PACKAGES = tuple(_LIBRARY + name + os.sep for name in ("site-packages", "dist-packages"))


def apply(inspect) -> None:
    inspect.getfile = _with_real_file(inspect.getfile)
    inspect.getsourcefile = _with_real_file(inspect.getsourcefile)


def _with_real_file(function):
    def ask(object):
        file = function(object)
        from ...cells.main_module import sources

        if file not in sources or _is_library(sys._getframe(1).f_code.co_filename):
            return file
        from ...cells.cell_files import written

        try:
            return written(file)
        except OSError:
            return file

    ask.__name__ = ask.__qualname__ = function.__name__
    ask.__module__ = function.__module__
    ask.__doc__ = function.__doc__
    ask.__wrapped__ = function
    return ask


def _is_library(file: str) -> bool:
    return file.startswith((_LIBRARY, "<frozen ")) and not file.startswith(_PACKAGES)
