"""Named pipes for fd 1 and 2, where the host cannot open ours through /proc (macOS, hardened systems)."""

from __future__ import annotations

import os

from .frames import dumps, write_all


def offer(frames_fd: int, next_answer) -> "tuple[dict, int, int]":
    """The host's last answer, and the write ends. Falls back to the existing fd 1 and 2."""
    import shutil
    import tempfile

    folder = tempfile.mkdtemp(prefix="granary-")  # mode 0700
    try:
        paths = [os.path.join(folder, name) for name in ("stdout", "stderr")]
        for path in paths:
            os.mkfifo(path, 0o600)
        frame = {"t": "fifos", "stdout": paths[0], "stderr": paths[1]}
        write_all(frames_fd, (dumps(frame) + "\n").encode())
        answer = next_answer()
        if answer["use"] != "opened":
            return answer, 1, 2
        # The host already reads, so opening does not block.
        return answer, os.open(paths[0], os.O_WRONLY), os.open(paths[1], os.O_WRONLY)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
