"""The shell that `get_ipython()` returns: Granary's runner under the names that libraries and notebooks call.

The first call makes the shell. It is no kernel for a browser: `config` has no "IPKernelApp", and the class has
its own name, so that tqdm, rich and others do not try to draw widgets.
"""

from __future__ import annotations

_shell = None


def get_ipython():
    """The shell that runs this cell, with IPython's methods."""
    global _shell
    if _shell is None:
        from .shell import GranaryShell

        _shell = GranaryShell()
    return _shell
