"""`@njit(cache=True)` in a cell: compiled code is kept in numba's folder for the user, and later kernels find it, as in Jupyter."""

from __future__ import annotations

import os

from ..cells.main_module import sources


def apply(caching) -> None:
    jupyters = getattr(caching, "IPythonCacheLocator", None) or caching._IPythonCacheLocator
    implementation = getattr(caching, "CacheImpl", None) or caching._CacheImpl

    class CellCacheLocator(jupyters):
        """Identifies a function by its source, not by the cell's file, which is removed with the kernel."""

        def get_cache_path(self) -> str:
            from numba.core import config
            from numba.misc.appdirs import AppDirs

            users = AppDirs(appname="numba", appauthor=False).user_cache_dir
            return os.path.join(getattr(config, "CACHE_DIR", "") or users, "granary_cells")

        @classmethod
        def from_function(cls, py_func, py_file):
            if py_func.__code__.co_filename not in sources:
                return None
            locator = cls(py_func, py_file)
            try:
                locator.ensure_cache_path()
            except OSError:
                return None  # the next locator stores it beside the cell's file
            return locator

    implementation._locator_classes.insert(0, CellCacheLocator)
