"""A replacement for a missing IPython: its display objects, and the few names that scripts import.

`import_hooks.ShimFinder` uses it only if there is no real IPython.
"""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec, PathFinder

MODULES = {
    "IPython",
    "IPython.core",
    "IPython.core.display",
    "IPython.core.display_functions",
    "IPython.core.error",
    "IPython.core.getipython",
    "IPython.core.interactiveshell",
    "IPython.core.magic",
    "IPython.core.magic_arguments",
    "IPython.core.page",
    "IPython.display",
    "IPython.lib",
    "IPython.lib.display",
    "IPython.lib.pretty",
    "IPython.paths",
    "IPython.terminal",
    "IPython.terminal.interactiveshell",
    "IPython.utils",
    "IPython.utils.capture",
    "IPython.utils.io",
    "IPython.utils.ipstruct",
    "IPython.utils.text",
}
PACKAGES = {"IPython", "IPython.core", "IPython.lib", "IPython.terminal", "IPython.utils"}


def find_spec(name: str):
    if name not in MODULES or (name != "IPython" and not _is_ours()):
        return None
    return ModuleSpec(name, GranaryShimLoader(), origin="Granary's stand-in for IPython", is_package=name in PACKAGES)


def give_way() -> None:
    """Drop the replacement if the real IPython can be imported by now; existing objects still work."""
    if _is_ours() and PathFinder.find_spec("IPython") is not None:
        for name in MODULES:
            sys.modules.pop(name, None)


def _is_ours() -> bool:
    """Whether the imported IPython is the replacement."""
    return isinstance(getattr(sys.modules.get("IPython"), "__loader__", None), GranaryShimLoader)


class GranaryShimLoader:
    """Fills a module named after one of IPython's with our own objects."""

    def create_module(self, spec):
        return None

    def exec_module(self, module) -> None:
        from .contents import contents_of

        module.__doc__ = f"Granary's stand-in for {module.__name__}: IPython itself is not installed."
        module.__dict__.update(contents_of(module.__name__))
        if module.__name__ == "IPython":
            import IPython.display  # noqa: F401  `import IPython; IPython.display.HTML` works with the real one as well
