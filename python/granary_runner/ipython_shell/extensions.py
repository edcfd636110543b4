"""Extensions: modules with `load_ipython_extension(shell)`, which usually registers magics."""

from __future__ import annotations

import sys
from importlib import import_module


class ExtensionManager:
    """Loads extensions, each once. The methods return IPython's words for a failure, and None for success."""

    def __init__(self, shell) -> None:
        self.shell = shell
        self.loaded: set = set()

    def load_extension(self, module_str: str):
        if module_str in self.loaded:
            return "already loaded"
        # Short names such as `sql` for `sql.magic` do not exist: each extension names its own module.
        module = import_module(module_str)
        if not callable(getattr(module, "load_ipython_extension", None)):
            return "no load function"
        module.load_ipython_extension(self.shell)
        self.loaded.add(module_str)
        return None

    def unload_extension(self, module_str: str):
        if module_str not in self.loaded:
            return "not loaded"
        unload = getattr(sys.modules.get(module_str), "unload_ipython_extension", None)
        if unload is None:
            return "no unload function"
        unload(self.shell)
        self.loaded.discard(module_str)
        return None

    def reload_extension(self, module_str: str):
        if module_str not in self.loaded or module_str not in sys.modules:
            return self.load_extension(module_str)
        from importlib import reload

        self.unload_extension(module_str)
        module = reload(sys.modules[module_str])
        module.load_ipython_extension(self.shell)
        self.loaded.add(module_str)
        return None
