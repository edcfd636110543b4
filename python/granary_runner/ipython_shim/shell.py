"""The shell and the constants of IPython that scripts import."""

from __future__ import annotations

from ..ipython_shell import get_ipython
from ..ipython_shell.events import ExecutionInfo, ExecutionResult
from ..ipython_shell.shell import GranaryShell

__all__ = ["ExecutionInfo", "ExecutionResult", "InteractiveShell", "TerminalInteractiveShell", "get_ipython", "page"]

# Recent, because libraries use it to decide whether to work around old versions of IPython.
version_info = (9, 0, 0, "")
__version__ = "9.0.0+granary"


class _IsGranarysShell(type):
    def __instancecheck__(cls, instance) -> bool:
        return isinstance(instance, GranaryShell)


class InteractiveShell(metaclass=_IsGranarysShell):
    """`InteractiveShell.instance()` returns the same as `get_ipython()`."""

    __module__ = "IPython.core.interactiveshell"
    ast_node_interactivity = "last_expr"

    @classmethod
    def initialized(cls) -> bool:
        return True

    @classmethod
    def instance(cls, *args, **kwargs):
        return get_ipython()


class TerminalInteractiveShell:
    """IPython's terminal shell; Granary's shell is not one."""

    __module__ = "IPython.terminal.interactiveshell"


def page(strng, start=0, screen_lines=0, pager_cmd=None) -> None:
    """Show a text for reading; notebooks do not store it."""
    from ..magics import show_page

    show_page(strng if isinstance(strng, str) else strng.get("text/plain", ""))


def get_ipython_cache_dir() -> str:
    """A folder for compiled files of extensions."""
    import os

    path = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "granary", "ipython")
    os.makedirs(path, mode=0o700, exist_ok=True)
    return path
