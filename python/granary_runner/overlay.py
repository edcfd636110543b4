"""Packages that were installed in a sandbox whose environment cannot be written: a folder beside it."""

from __future__ import annotations

import os
import site
import sys


def place() -> str:
    return os.environ.get("GRANARY_OVERLAY", "")


def activate() -> None:
    """Make them importable here and in children, after the packages of the environment."""
    version = "python%d.%d" % sys.version_info[:2]
    names = (("lib", version, "site-packages"), ("local", "lib", version, "dist-packages"), ("lib", version, "dist-packages"))
    for folder in (os.path.join(place(), *parts) for parts in names):
        if not os.path.isdir(folder):
            continue
        if folder not in sys.path:
            site.addsitedir(folder)
        paths = _entries("PYTHONPATH")
        if folder not in paths:
            os.environ["PYTHONPATH"] = os.pathsep.join([*paths, folder])
    _put_programs_on_path()


def programs() -> "list[str]":
    return [folder for folder in (os.path.join(place(), *parts) for parts in (("bin",), ("local", "bin"))) if place() and os.path.isdir(folder)]


def _put_programs_on_path() -> None:
    """After those of the environment, as its packages."""
    paths = _entries("PATH")
    added = [folder for folder in programs() if folder not in paths]
    if added:
        own = 1 if paths[:1] == [os.path.dirname(sys.executable)] else 0
        os.environ["PATH"] = os.pathsep.join([*paths[:own], *added, *paths[own:]])


def _entries(variable: str) -> "list[str]":
    return [path for path in os.environ.get(variable, "").split(os.pathsep) if path]
