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
        paths = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
        if folder not in paths:
            os.environ["PYTHONPATH"] = os.pathsep.join([*paths, folder])
