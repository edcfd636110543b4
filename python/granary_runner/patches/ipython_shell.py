"""The real IPython finds Granary's shell where it would find none, and what it would do to one of its own goes through ours."""

from __future__ import annotations


def apply(module) -> None:
    from ..ipython_shell import get_ipython
    from ..ipython_shim.capture import capture_output
    from ..magics.syntax.usage_error import UsageError

    if "Magics" in vars(module):
        _let_magics_belong_to_our_shell(module.Magics)
    elif "UsageError" in vars(module):
        module.UsageError = UsageError  # `except UsageError` catches what our magics raise
    elif "capture_output" in vars(module):
        module.capture_output = capture_output
    else:
        module.get_ipython = get_ipython


def _let_magics_belong_to_our_shell(Magics) -> None:
    """They take their settings from their shell, which has to be a Configurable for that; ours is none."""
    original = Magics.__init__

    def __init__(self, shell=None, **kwargs) -> None:
        from ..ipython_shell.shell import GranaryShell

        if isinstance(shell, GranaryShell):
            kwargs.setdefault("parent", None)
        original(self, shell, **kwargs)

    Magics.__init__ = __init__
