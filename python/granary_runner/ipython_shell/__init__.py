"""The shell that `get_ipython()` returns: Granary's runner under the names that libraries and notebooks call.

It is made when it is first asked for. It is no kernel for a browser: `config` has no "IPKernelApp", and the class has a
name of its own, so that tqdm, rich and others do not take it for one that could draw widgets.
"""

from __future__ import annotations

_shell = None


def get_ipython():
    """The shell that runs this cell, with the methods of IPython's."""
    global _shell
    if _shell is None:
        from .shell import GranaryShell

        _shell = GranaryShell()
    return _shell
