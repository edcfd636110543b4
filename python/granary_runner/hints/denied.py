"""An error that the sandbox caused: the sentence names the setting."""

from __future__ import annotations

import errno
import os

_NETWORK = (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EADDRNOTAVAIL)
_FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)


_UNREACHABLE = ("Could not resolve", "name resolution", "Name or service not known", "Network is unreachable", "Failed to connect")

_NO_WAY = {
    "off": "The sandbox has no network: python.sandboxNetwork is off.",
    "hosts": "The sandbox reaches only the hosts in python.sandboxNetwork, and only through the proxy in HTTPS_PROXY.",
}


def hint(problem: BaseException) -> "str | None":
    """One line to add to the error; None if the sandbox did not cause it."""
    mode, _, network, folder = (os.environ.get("GRANARY_SANDBOX", "") + "   ").split(" ", 3)
    if network in _NO_WAY and _is_network(problem):
        return None if "python.sandboxNetwork" in str(problem) else _NO_WAY[network]
    if network in _NO_WAY and any(isinstance(one, ConnectionRefusedError) for one in _chain(problem)):
        return "Servers outside of the sandbox are not on its loopback: it has a network of its own (python.sandboxNetwork)."
    places = f"{folder.rstrip()} and a private /tmp"
    if _is_database(problem):
        return f"The sandbox (python.sandbox: {mode}) may forbid this: code can write only in {places}; python.sandboxWrite adds folders."
    if not isinstance(problem, OSError):
        return _of_command(problem, mode, network)
    path = problem.filename
    if not isinstance(path, (str, bytes)):
        is_forbidden = problem.errno in _FORBIDDEN
        return f"The sandbox may forbid this: python.sandbox is {mode}." if is_forbidden else None
    path = os.path.abspath(os.fsdecode(path))
    if problem.errno in _FORBIDDEN:
        return f"The sandbox (python.sandbox: {mode}) lets code write only in {places}, and read no secrets; python.sandboxWrite adds folders."
    if problem.errno == errno.ENOENT and _is_hidden(path, mode):
        return f"The sandbox (python.sandbox: {mode}) hides this place."
    return None


_DATABASE = ("unable to open database file", "attempt to write a readonly database")


def _is_database(problem: "BaseException | None") -> bool:
    """SQLite names neither the file nor the reason; pandas and SQLAlchemy raise errors of their own from those."""
    for _ in range(10):
        if problem is None:
            return False
        is_sqlite = type(problem).__module__ == "sqlite3" and type(problem).__name__ == "OperationalError"
        if is_sqlite and any(words in str(problem) for words in _DATABASE):
            return True
        problem = problem.__cause__
    return False


def _of_command(problem: BaseException, mode: str, network: str) -> "str | None":
    """A failed command of `subprocess`, whose captured output the error does not show."""
    for said in (getattr(problem, "stderr", None), getattr(problem, "stdout", None)):
        text = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
        if not isinstance(text, str):
            continue
        if network in _NO_WAY and any(words in text for words in _UNREACHABLE):
            return _NO_WAY[network]
        if any(os.strerror(number) in text for number in _FORBIDDEN):
            return f"The sandbox may forbid this: python.sandbox is {mode}."
    return None


def _is_network(problem: BaseException) -> bool:
    for one in _chain(problem):
        if isinstance(one, OSError):
            is_socket = type(one).__name__ in ("gaierror", "herror")
            no_file = one.filename is None and one.errno in (errno.EACCES, errno.EPERM) and _in_socket_code(one)
            if is_socket or one.errno in _NETWORK or no_file:
                return True
    return False


def _chain(problem: "BaseException | None"):
    """Also the errors behind those of urllib, requests and httpx."""
    for _ in range(10):
        if problem is None:
            return
        yield problem
        reason = getattr(problem, "reason", None)
        problem = reason if isinstance(reason, BaseException) else problem.__cause__ or problem.__context__


def _in_socket_code(problem: BaseException) -> bool:
    """Landlock's engine refuses the socket itself, that of macOS the connection."""
    entry = problem.__traceback__
    while entry is not None:
        if os.path.basename(entry.tb_frame.f_code.co_filename) == "socket.py":
            return True
        entry = entry.tb_next
    return False


def _is_hidden(path: str, mode: str) -> bool:
    """An empty folder that is read-only was put over the hidden one; in strict mode there is often nothing at all."""
    above = os.path.dirname(path)
    try:
        while not os.path.isdir(above):
            above = os.path.dirname(above)
        if mode == "strict" and os.stat(above).st_dev == os.stat("/").st_dev:
            return True
        # The working folder is a mount as well, and may be empty.
        return not os.listdir(above) and above in _mounts() and not os.access(above, os.W_OK)
    except OSError:
        return False


def _mounts() -> "list[str]":
    """`os.path.ismount` does not know mounts within one file system."""
    with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as file:
        return [line.split(" ")[4].replace("\\040", " ") for line in file]
