"""The memory limit of this process and of each that it starts. The host watches them together."""

from __future__ import annotations

import os


def apply() -> None:
    """An allocation beyond the limit raises MemoryError instead of making the machine slow."""
    megabytes = os.environ.pop("GRANARY_MEMORY_LIMIT_MB", None)
    if megabytes is None:
        return
    import resource

    # Of private, writable memory. An address space may be much larger than the memory in use.
    limit = int(float(megabytes) * 1024 * 1024)
    try:
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    except (ValueError, OSError):
        pass  # a lower limit is set already
