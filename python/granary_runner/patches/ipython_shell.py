"""The real IPython finds Granary's shell instead of none, and uses it as its own."""

from __future__ import annotations


def apply(module) -> None:
    from ..ipython_shell import get_ipython
    from ..ipython_shim.capture import capture_output
    from ..magics.syntax.usage_error import UsageError

    if "Magics" in vars(module):
        _let_magics_belong_to_our_shell(module.Magics)
    elif "UsageError" in vars(module):
        module.UsageError = UsageError  # `except UsageError` then catches errors of our magics
    elif "capture_output" in vars(module):
        module.capture_output = capture_output
    else:
        module.get_ipython = get_ipython


def _let_magics_belong_to_our_shell(Magics) -> None:
    """They take their settings from their shell, which must be a Configurable; ours is not."""
    original = Magics.__init__

    def __init__(self, shell=None, **kwargs) -> None:
        from ..ipython_shell.shell import GranaryShell

        if isinstance(shell, GranaryShell):
            kwargs.setdefault("parent", None)
        original(self, shell, **kwargs)

    Magics.__init__ = __init__
