"""Comms of widgets use the runner's channel. The package `comm` has its hooks for exactly this."""

from __future__ import annotations

import sys


def apply(module) -> None:
    """Also after an import of ipykernel, which takes the hooks for itself."""
    package = sys.modules["comm"] if "comm" in sys.modules else module
    if "comm.base_comm" not in sys.modules:
        return  # a module of the user's, which has the name by chance
    from ...comms.hooks import create_comm

    package.create_comm = create_comm
    package.get_comm_manager = getattr(package, "_get_comm_manager", package.get_comm_manager)
