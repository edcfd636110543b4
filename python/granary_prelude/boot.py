"""Prepares a kernel: its folder, its environment, the prelude. The first code that any kernel runs.

The host sends this file and calls `start`. It is compiled at every start of a kernel, so it is short, and imports nothing
that a fresh Python has not imported anyway.
"""

import os
import sys

PACKAGE = "granary_prelude"
_has_begun = False  # a warm interpreter has called `begin` for this kernel


def start(texts, cwd, env, helpers, host, working_folder=None):
    """Takes the prelude, unless it is loaded already: its first file and the others (packed). The rest are options for this kernel.

    `host` is the target of tool calls (address, session and token), or a sentence that says why there is none."""
    global _has_begun
    for name, value in env.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    if PACKAGE not in sys.modules:
        provide(Texts(*texts))
    if _has_begun and not helpers:
        sys.modules[PACKAGE].remove()
    elif not _has_begun:
        _prepare("PYTHONUNBUFFERED" not in env, helpers)
    _has_begun = False
    if working_folder is None:
        from granary_prelude import working_folder
    working_folder.enter(cwd)
    if host is not None:
        from granary_prelude import bridge

        if isinstance(host, str):
            bridge.refuse(host)
        else:
            bridge.connect(*host)


def begin():
    """In a warm interpreter: what is the same for nearly all of its kernels."""
    global _has_begun
    _prepare(True, True)
    _has_begun = True


def _prepare(prints_at_once, helpers):
    if prints_at_once:  # Python programs that cells start; else they print when their buffer is full
        os.environ.setdefault("PYTHONUNBUFFERED", "1")
    if helpers:
        sys.modules[PACKAGE].install()


def provide(texts):
    """Make modules from texts: a kernel may be on another machine, without our files."""
    # Without an import, which would first search every folder of sys.path, including the user's.
    module = type(sys)(PACKAGE)
    module.__spec__ = texts.find_spec(PACKAGE)
    module.__loader__, module.__package__, module.__path__ = texts, PACKAGE, []
    sys.modules[PACKAGE] = module
    texts.exec_module(module)
    sys.meta_path.append(texts)


class Texts:
    """Imports modules from their texts. As a loader it also shows their lines to tracebacks and `inspect`."""

    def __init__(self, package=None, modules=None):
        self._sources = {PACKAGE: package}
        self._packed = modules

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] != PACKAGE or self.get_source(name) is None:
            return None
        return type(sys.__spec__)(name, self, origin=self.get_filename(name), is_package=name == PACKAGE)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        exec(self.get_code(module.__name__), module.__dict__)

    def get_code(self, name):
        return compile(self.get_source(name), self.get_filename(name), "exec", 0, True)

    def get_filename(self, name):
        # Not entirely in angle brackets: `linecache` shows no lines of such files.
        return "<granary>/%s.py" % name.replace(".", "/")

    def get_source(self, name):
        if name not in self._sources and self._packed is not None:
            import binascii
            import json
            import zlib

            self._sources.update(json.loads(zlib.decompress(binascii.a2b_base64(self._packed))))
            self._packed = None
        return self._sources.get(name)
