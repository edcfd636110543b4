"""Free places between objects, which are filled ahead of a fork.

Python keeps objects of one size together in a pool. The next objects of a kernel would go where others have been freed: into pages that
it shares, two for each size. Once the gaps are filled they go into new pools, next to each other.
"""

from __future__ import annotations

import sys

_POOL = 16384 if sys.version_info >= (3, 10) else 4096
_HEADER = 48  # before the first object of a pool
_EMPTY = sys.getsizeof(b"")
_SIZES = range(48, 513, 16)  # larger objects are not in pools

_fillers: list = []


def fill() -> None:
    for size in _SIZES:
        for _ in range(_POOL // size):  # one pool is enough where objects are placed in another way
            filler = bytes(size - _EMPTY)
            _fillers.append(filler)
            if id(filler) % _POOL == _HEADER:  # the first of a new one
                break
