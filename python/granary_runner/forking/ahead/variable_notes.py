"""A library may read variables while it is imported; one that was imported ahead has read them before a cell could set them."""

from __future__ import annotations

import os
import sys

from . import noted_imports, own_changes

_READ_BY_C = ("OMP_", "GOMP_", "KMP_", "MKL_", "OPENBLAS_", "GOTO_", "BLIS_", "NPY_", "ARROW_", "TF_", "CUDA_")

_birth: dict = {}  # the environment variables when the kernel began


def begin() -> None:
    """Changes of the host before the first cell of the user's are no concern of theirs."""
    from ...cells import execute

    execute.before_cell.append(_remember)


def _remember() -> None:
    if not _birth:
        _birth.update(os.environ)


def warn(name: str) -> None:
    changed = [key for key in _birth.keys() | os.environ.keys() if _birth.get(key) != os.environ.get(key) and _matters(key)]
    if _birth and changed:
        print(
            "granary: %s was imported ahead (python.preload), before %s changed. If it reads such a variable while it is "
            "imported, set that before the kernel starts, or set python.preload to []." % (name, ", ".join(sorted(changed)[:5])),
            file=sys.stderr,
        )
        _birth.clear()
        _birth.update(os.environ)  # once is enough


def _matters(name: str) -> bool:
    return (name in noted_imports.read or name.startswith(_READ_BY_C)) and not own_changes.covers(name)
