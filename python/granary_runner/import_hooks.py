"""Two finders around Python's own: one patches a few modules during their import, one replaces a missing IPython.

Installed at boot, so this file imports nothing but `sys`; an import of any other module costs one dict lookup.
"""

from __future__ import annotations

import sys

# Module -> its file in patches/, whose `apply(module)` runs right after the module's own code.
PATCHES = {
    "IPython.core.display": "ipython",  # up to IPython 7 the functions live here
    "IPython.core.display_functions": "ipython",
    "IPython.core.error": "ipython_shell",
    "IPython.core.getipython": "ipython_shell",
    "IPython.core.magic": "ipython_shell",
    "IPython.utils.capture": "ipython_shell",
    "PIL.ImageShow": "pillow",
    "altair": "altair",
    "asyncio": "standard.asyncio",
    "bokeh.io.showing": "bokeh_showing",
    "comm": "widgets.comm",
    "distributed.utils": "distributed",
    "_posixsubprocess": "standard.posix_subprocess",
    "getpass": "standard.getpass",
    "inspect": "standard.inspect",
    "ipykernel.ipkernel": "widgets.comm",
    "ipywidgets.widgets.interaction": "widgets.interaction",
    "line_profiler.line_profiler": "profilers.line_profiler",
    "linecache": "standard.linecache",
    "matplotlib": "matplotlib.backend",
    "matplotlib.figure": "matplotlib.figure",
    "matplotlib.pyplot": "matplotlib.pyplot",
    "matplotlib_inline.backend_inline": "matplotlib.inline",
    "memory_profiler": "profilers.memory_profiler",
    "numba.core.caching": "numba_caching",
    "numpy": "numpy",
    "pandas": "pandas",
    "pdb": "standard.pdb",
    "plotly.io._renderers": "plotly",
    "rich.console": "rich.console",
    "rich.live": "rich.live",
    "rich.progress": "rich.live",
    "signal": "standard.signal",
    "threading": "standard.threading",
    "tqdm.notebook": "tqdm",
    "warnings": "standard.warnings",
}


def install() -> None:
    sys.meta_path.insert(0, PatchFinder())
    sys.meta_path.append(ShimFinder())
    for name in PATCHES:
        if name in sys.modules:
            apply_patch(sys.modules[name], name)


def apply_patch(module, name: str) -> None:
    """A failed patch leaves the module unchanged: the user's import matters more."""
    try:
        __import__(f"{__package__}.patches.{PATCHES[name]}", fromlist=("apply",)).apply(module)
    except Exception as error:
        from .formats.errors import describe

        print(f"granary: could not adapt {name}: {describe(error)}", file=sys.stderr)


class PatchFinder:
    """First in `sys.meta_path`: lets the others find the module, and applies its patch after loading."""

    def __init__(self) -> None:
        self._searching: set = set()

    def find_spec(self, name, path=None, target=None):
        if name not in PATCHES:
            return None
        from _thread import get_ident

        search = (name, get_ident())
        if search in self._searching:  # another finder also asks all finders
            return None
        self._searching.add(search)
        try:
            spec = self._ask_the_others(name, path, target)
        finally:
            self._searching.discard(search)
        if spec is not None and hasattr(spec.loader, "exec_module"):
            spec.loader = PatchingLoader(spec.loader)
        return spec

    def _ask_the_others(self, name, path, target):
        for finder in list(sys.meta_path):
            if isinstance(finder, (PatchFinder, ShimFinder)) or not hasattr(finder, "find_spec"):
                continue
            spec = finder.find_spec(name, path, target)
            if spec is not None:
                return spec
        return None


class PatchingLoader:
    """The module's own loader, with one more step after the module's code."""

    def __init__(self, loader) -> None:
        self._loader = loader

    def __getattr__(self, name):
        if name == "_loader":  # missing while being copied or unpickled
            raise AttributeError(name)
        return getattr(self._loader, name)

    def exec_module(self, module) -> None:
        # From here on the module has its own loader: for resources, getsource, reload.
        module.__loader__ = module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        name = module.__spec__.name
        apply_patch(sys.modules.get(name, module), name)


class ShimFinder:
    """Last in `sys.meta_path`: asked for IPython only if there is no real one."""

    def find_spec(self, name, path=None, target=None):
        if name != "IPython" and not name.startswith("IPython."):
            return None
        from . import ipython_shim

        return ipython_shim.find_spec(name)

    def invalidate_caches(self) -> None:
        """Called after an installation, for example: it may have added a real IPython."""
        if "IPython" in sys.modules:
            from . import ipython_shim

            ipython_shim.give_way()
