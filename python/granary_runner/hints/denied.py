"""An error that the sandbox caused: the sentence names the setting."""

from __future__ import annotations

import errno
import os

_NETWORK = (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EADDRNOTAVAIL)
_FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)


def hint(problem: OSError) -> "str | None":
    """One line to add to the error; None if the sandbox did not cause it."""
    mode, _, network, folder = (os.environ.get("GRANARY_SANDBOX", "") + "   ").split(" ", 3)
    if network == "off" and _is_network(problem):
        return "The sandbox has no network: python.sandboxNetwork is off."
    path = problem.filename
    if not isinstance(path, (str, bytes)):
        is_forbidden = problem.errno in _FORBIDDEN
        return f"The sandbox may forbid this: python.sandbox is {mode}." if is_forbidden else None
    path = os.path.abspath(os.fsdecode(path))
    if problem.errno in _FORBIDDEN:
        places = f"{folder.rstrip()} and a private /tmp"
        return f"The sandbox (python.sandbox: {mode}) lets code write only in {places}, and read no secrets; python.sandboxWrite adds folders."
    if problem.errno == errno.ENOENT and _is_hidden(path, mode, folder.rstrip()):
        return f"The sandbox (python.sandbox: {mode}) hides this place."
    return None


def _is_network(problem: BaseException) -> bool:
    """Also behind the errors of urllib and requests."""
    seen = 0
    while problem is not None and seen < 10:
        if isinstance(problem, OSError):
            is_socket = type(problem).__name__ in ("gaierror", "herror")
            no_file = problem.filename is None and problem.errno == errno.EACCES and _in_socket_code(problem)
            if is_socket or problem.errno in _NETWORK or no_file:
                return True
        reason = getattr(problem, "reason", None)
        problem = reason if isinstance(reason, BaseException) else problem.__cause__ or problem.__context__
        seen += 1
    return False


def _in_socket_code(problem: BaseException) -> bool:
    """Landlock's engine refuses the socket itself."""
    entry = problem.__traceback__
    while entry is not None:
        if os.path.basename(entry.tb_frame.f_code.co_filename) == "socket.py":
            return True
        entry = entry.tb_next
    return False


def _is_hidden(path: str, mode: str, folder: str) -> bool:
    if path.startswith((folder + "/", "/tmp/", "/proc/", "/dev/")):
        return False
    if mode == "strict":
        return True
    above = os.path.dirname(path)
    while len(above) > 1:
        if os.path.ismount(above):
            return True
        above = os.path.dirname(above)
    return False
