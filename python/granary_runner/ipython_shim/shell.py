"""The IPython shell that is not running here."""

from __future__ import annotations

# Recent, because libraries look at it to decide whether to work around old IPythons.
version_info = (9, 0, 0, "")
__version__ = "9.0.0+granary"


def get_ipython() -> None:
    """None, as in any program that runs outside of IPython."""
    return None


class InteractiveShell:
    """Settings such as `InteractiveShell.ast_node_interactivity = "all"` may be made; they have no effect."""

    __module__ = "IPython.core.interactiveshell"
    ast_node_interactivity = "last_expr"

    @classmethod
    def initialized(cls) -> bool:
        return False

    @classmethod
    def instance(cls, *args, **kwargs):
        raise RuntimeError("There is no IPython shell here: Granary runs this code, and IPython is not installed.")
