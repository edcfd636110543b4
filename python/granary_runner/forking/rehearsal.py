"""A warm interpreter is a kernel for a moment before it forks one, so that its kernels have less to do and share more memory.

A kernel owns each page that it writes: where it makes streams, locks and caches, and where Python specialises code that runs
for the second time. All of that is there before the fork, and a kernel only exchanges descriptors. The host of the moment is this
process. `undoing` takes back what a kernel does to its process; the cells are internal, and leave no variable and no number.
"""

from __future__ import annotations

import _socket
import os
import sys

from ..cells import execute
from ..wire import marks, requests
from ..wire.frames import dumps
from . import child, kernel_mark
from .undoing import Undoing

_TIMES = 3
_VARIABLES = {"GRANARY_REHEARSAL": "1"}


def run() -> None:
    """Without it, or where it fails, kernels do everything themselves."""
    if not marks.LINUX:
        return
    try:
        for _ in range(_TIMES):
            with Undoing() as process:
                process.redirect_output()
                _be_kernel()
    except OSError:
        pass


def _be_kernel() -> None:
    kernel_mark.hide()  # as it is: this finds the place
    channels: "tuple[int, ...]" = ()
    server = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        address = "\0granary-" + os.urandom(16).hex()  # no file
        server.bind(address)
        server.listen(len(child.CHANNELS))
        channels = child.leave_parent(address, "rehearsal", (os.dup(0), os.dup(0)))
        _run_cells(_accept(server), channels)
    finally:
        # Before the host's ends, because the end of the lifeline ends Python.
        for fd in channels:
            os.close(fd)
        server.close()


def _accept(server) -> int:
    """The host's end of the first channel."""
    host = _socket.socket(fileno=server._accept()[0])
    process = host.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 4)
    if int.from_bytes(process, sys.byteorder) != os.getpid():
        raise OSError("another process has connected")
    host.recv(100)  # the greeting
    return host.detach()


def _run_cells(host: int, channels: "tuple[int, ...]") -> None:
    from .. import boot

    folder = os.getcwd()
    _tell(host, {"op": "become-kernel", "cwd": folder, "env": _VARIABLES, "mark": None})
    lines = child.wait_for_start(channels[0])
    _tell(host, {"op": "streams", "use": "inherited", "journal": True, "settled": True})
    boot.connect(channels, lines)
    cells: list = [{"code": "print(1)", "forms": "readable"}]
    if "granary_prelude" in sys.modules:
        cells.insert(0, {"code": "", "bootstrap": {"cwd": folder, "env": _VARIABLES, "helpers": True, "host": None}})
    for number, cell in enumerate(cells, 1):
        _tell(host, {"op": "execute", "id": number, "internal": True, **cell})
        execute.cell(requests.next_of(lines, "execute"))


def _tell(host: int, request: dict) -> None:
    os.write(host, (dumps(request) + "\n").encode())
