"""State that two processes must not share: sources of random numbers, secrets and process numbers from before the fork.

Python's own `random`, the locks of `threading` and `logging`, and the names of `tempfile` renew themselves after a fork.
Hash values of texts do not: kernels of one warm interpreter have the same.
"""

from __future__ import annotations

import os
import sys

from .ahead import hidden


def needed() -> list:
    """The loaded modules, each with its function, found ahead of the fork."""
    found = [(renew_one, sys.modules.get(name) or hidden.module(name)) for name, renew_one in _RENEWALS.items()]
    return [(renew_one, module) for renew_one, module in found if module is not None]


def renew(modules: list) -> None:
    """A module that has changed its inside is not worth a kernel."""
    for renew_one, module in modules:
        try:
            renew_one(module)
        except Exception:
            os._exit(1)  # the host starts an interpreter of its own instead


def _numpy_random(module) -> None:
    module.seed()


def _ssl(module) -> None:
    module.RAND_add(os.urandom(32), 32.0)


def _threading(module) -> None:
    module.main_thread()._set_native_id()  # `multiprocessing` does the same in its children; `threading` itself does not


def _uuid(module) -> None:
    module._last_timestamp = None


def _multiprocessing(module) -> None:
    module.current_process().authkey = os.urandom(32)


_RENEWALS = {
    "numpy.random": _numpy_random,
    "_ssl": _ssl,
    "threading": _threading,
    "uuid": _uuid,
    "multiprocessing.process": _multiprocessing,
}
