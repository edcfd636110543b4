"""%pip in a sandbox: through its proxy to the package index, and into a folder that can be written."""

from __future__ import annotations

import os
import sys
import sysconfig
import tempfile

from ... import overlay

_NEED_THE_INDEX = ("install", "download", "wheel", "index", "sync", "compile")
_OWN_PLACE = ("-t", "--target", "--prefix", "--root", "--user")


def front(subcommand: str) -> list[str]:
    """The program in front of the installer. While it runs, the proxy opens the hosts of the index."""
    proxy = os.environ.get("GRANARY_PROXY")
    if proxy is None or subcommand not in _NEED_THE_INDEX:
        return []
    folder = os.path.dirname(os.path.dirname(os.path.abspath(overlay.__file__)))
    return [sys.executable, "-I", "-S", os.path.join(folder, "granary_forward.py"), proxy, "index"]


def options(subcommand: str, words: list[str]) -> list[str]:
    """More options of the installer. A prefix keeps what is installed: pip adds only what is missing."""
    has_place = any(word.split("=")[0] in _OWN_PLACE for word in words)
    if subcommand != "install" or not overlay.place() or has_place or _can_write(sysconfig.get_path("purelib")):
        return []
    return ["--prefix", overlay.place()]


def _can_write(folder: str) -> bool:
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False
