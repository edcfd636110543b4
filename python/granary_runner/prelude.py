"""The prelude out of the files beside the runner, with Python's cache of compiled code.

Kernels that are not the runner get its texts from the host, and compile them at every start.
"""

from __future__ import annotations

import os
import sys

from . import working_folder

_FOLDER = __file__.rpartition("/")[0].rpartition("/")[0] + "/"
# Modules that the prelude takes from the runner: `shared` in session/bootstrap/bootstrap.ts is the same list.
_SHARED = {
    "granary_prelude.working_folder": "granary_runner/working_folder.py",
    "granary_prelude.process_tree": "granary_runner/magics/running/process_tree.py",
    "granary_prelude.terminal": "granary_runner/terminal.py",
}
_boot: dict = {}  # the names of granary_prelude/boot.py


def load() -> None:
    """Nothing of the kernel is needed."""
    _boot["__name__"] = "granary_prelude.boot"
    exec(_code("granary_prelude.boot", "<granary>/granary_prelude/boot.py"), _boot)

    class Files(_boot["Texts"]):
        def get_source(self, name):
            try:
                return _text(_path(name))
            except OSError:
                return None

        def get_code(self, name):
            return _code(name, self.get_filename(name))

    _boot["provide"](Files())


def begin() -> None:
    """In a warm interpreter, once for all of its kernels."""
    _boot["begin"]()


def start(given: dict) -> None:
    """Make a kernel ready; other kernels get this code and all texts from the host."""
    if not _boot:
        load()
    _boot["start"](None, given["cwd"], given["env"], given["helpers"], given["host"], working_folder)


def _path(name: str) -> str:
    if name == "granary_prelude":
        name = "granary_prelude.__init__"
    return _FOLDER + (_SHARED.get(name) or name.replace(".", "/") + ".py")


def _code(name: str, shown: str):
    """`shown` is the file's name in tracebacks, which omit it."""
    path = _path(name)
    kept = sys.dont_write_bytecode, sys.pycache_prefix
    sys.dont_write_bytecode = False  # as for the runner: see __main__.py
    own_cache = os.environ.get("GRANARY_PYCACHE")
    if own_cache and not os.path.isdir(_FOLDER + "granary_prelude/__pycache__"):
        sys.pycache_prefix = own_cache
    try:
        code = type(__spec__.loader)(name, path).get_code(name)
    finally:
        sys.dont_write_bytecode, sys.pycache_prefix = kept
    try:
        from _imp import _fix_co_filename
    except ImportError:  # PyPy
        return compile(_text(path), shown, "exec", 0, True)
    _fix_co_filename(code, shown)
    return code


def _text(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()
