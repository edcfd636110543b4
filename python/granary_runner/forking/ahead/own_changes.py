"""Changes that belong to a package, and are harmless: taken back after it was imported ahead, and made again when a cell imports it."""

from __future__ import annotations

import os
import sys

from . import matplotlib_settings

# For OpenMP of Intel and LLVM, which scikit-learn's own libraries are not.
VARIABLES = {
    "sklearn": ("KMP_DUPLICATE_LIB_OK", "KMP_INIT_AT_FORK"),
    "threadpoolctl": ("KMP_DUPLICATE_LIB_OK",),
}
# Finds only `six.moves`.
FINDERS = ("six",)
# They free what was used: pictures, workers, figures, connections to S3. Without any, they do nothing. numba and llvmlite set a flag.
AT_EXIT = ("PIL", "joblib", "llvmlite", "matplotlib", "numba", "pyarrow")
# Modules that may make random numbers while they are imported.
RANDOM = (
    "numpy.random",  # renewed in every kernel: see `renewal`
    "multiprocessing.process",  # renewed
    "joblib._multiprocessing_helpers",  # tries out a lock
    "scipy.stats._new_distributions",  # examples for its documentation
    "sklearn.ensemble._hist_gradient_boosting.grower",  # a default that its callers replace
)
# Repairs Python's own `typing` before 3.11.
TYPING = "typing_extensions"
# Numbers for links in a terminal, from the generator that every kernel seeds anew.
DRAWS = "rich"

_names = {name for names in VARIABLES.values() for name in names}
_variables: dict = {}
_finders: list = []


def variables_without(variables: dict) -> dict:
    return {name: value for name, value in variables.items() if os.fsdecode(name) not in _names}


def is_of_package(finder) -> bool:
    return type(finder).__module__ in FINDERS


def take_back(names_before: set) -> None:
    for name in _names - names_before:
        if name in os.environ:
            _variables[name] = os.environ.pop(name)
    _finders.extend(finder for finder in sys.meta_path if is_of_package(finder))
    for finder in _finders:
        sys.meta_path.remove(finder)


def make_again(top: str) -> None:
    for name in VARIABLES.get(top, ()):
        if name in _variables:
            os.environ.setdefault(name, _variables[name])
    for finder in _finders:
        if type(finder).__module__ == top and finder not in sys.meta_path:
            sys.meta_path.append(finder)


def covers(name: str) -> bool:
    """Whether packages set this variable themselves while a cell imports them, or follow it: no note is needed."""
    return name in _names or name == matplotlib_settings.VARIABLE
