"""An error that the sandbox caused: the sentence names the setting."""

from __future__ import annotations

import errno
import os
import stat

from .os_reason import fails_outside, owner_in_the_way, reason, reason_in

_NETWORK = (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EADDRNOTAVAIL)
_FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)


_UNREACHABLE = ("Could not resolve", "name resolution", "Name or service not known", "Network is unreachable", "EAI_AGAIN", "Failed to connect", "CONNECT tunnel failed", "from proxy after CONNECT")

_NO_WAY = {
    "off": "The sandbox has no network: python.sandboxNetwork is off.",
    "hosts": "The sandbox reaches only the hosts in python.sandboxNetwork, and only through the proxy in HTTPS_PROXY.",
}


def hint(problem: BaseException) -> "str | None":
    """One line to add to the error; None if the sandbox did not cause it."""
    if "python.sandbox" in str(problem):  # a command of the tool bash, which has the sentence
        return None
    said = _said()
    mode, network, places = said["mode"], said["network"], said["places"]
    if network in _NO_WAY and _is_network(problem):
        return _NO_WAY[network]
    if network in _NO_WAY and any(isinstance(one, ConnectionRefusedError) for one in _chain(problem)):
        return "Servers outside of the sandbox are not on its loopback: it has a network of its own (python.sandboxNetwork)."
    if _is_database(problem):
        return f"The sandbox (python.sandbox: {mode}) may forbid this: code can write only in {places}; python.sandboxWrite adds folders."
    said_by_command = _of_command(problem, said)
    if said_by_command is not None:
        return said_by_command
    number, names = reason(problem)
    if names:
        return _of_files(number, names, said)
    if number == errno.EROFS:
        return f"The sandbox (python.sandbox: {mode}) may forbid this: code can write only in {places}; python.sandboxWrite adds folders."
    is_forbidden = isinstance(problem, OSError) and problem.errno in _FORBIDDEN
    return f"The sandbox may forbid this: python.sandbox is {mode}." if is_forbidden else None


def _of_files(number: "int | None", names: "list[str]", said: dict) -> "str | None":
    mode, places = said["mode"], said["places"]
    if number in (errno.EROFS, errno.EBUSY):
        from .protected import protected_file

        file = protected_file(names, said["write"], is_busy=number == errno.EBUSY)
        if file is not None:
            return f"{file} is protected: the sandbox (python.sandbox: {mode}) keeps code from changing it, and from moving folders around it."
    if number == errno.EPERM and said["engine"] == "sandbox-exec":
        return f"The sandbox may forbid this: python.sandbox is {mode}."
    outside = [name for name in names if not _is_in(said["write"], name)]
    if number == errno.EACCES and any(map(_is_covered, names)):
        return f"The sandbox (python.sandbox: {mode}) hides this place."
    if number in (errno.ENOENT, errno.ENOTDIR) and any(_is_hidden(path, mode) for name in names for path in (os.path.abspath(name), os.path.realpath(name))):
        return f"The sandbox (python.sandbox: {mode}) hides this place."
    if number in (*_FORBIDDEN, errno.EXDEV) and outside:
        is_own_fault = number in (errno.EACCES, errno.EPERM) and all(fails_outside(name) for name in outside)
        return None if is_own_fault else f"The sandbox (python.sandbox: {mode}) lets code write only in {places}, and {_reading(mode)}; python.sandboxWrite adds folders."
    if number == errno.EXDEV:
        return f"The sandbox (python.sandbox: {mode}) mounts writable places one by one, and Linux neither renames nor links files between mounts. Use shutil.move, or a temporary file in the same folder."
    # Others in a writable folder have an owner and a mode, which are no matter of the sandbox.
    found = next(filter(None, map(owner_in_the_way, names)), None) if number == errno.EACCES else None
    if found is None:
        return None
    return f"{found[0]} belongs to another user (uid {found[1]}): in the sandbox (python.sandbox: {mode}), root may change only its own files. Run Granary as that user."


def _reading(mode: str) -> str:
    return "read only there, the system and the interpreter" if mode == "strict" else "read no secrets"


def _said() -> dict:
    """The sandbox as the host describes it. A cell may have changed the variable."""
    from json import loads

    said = {"mode": "", "engine": "", "network": "", "places": "", "write": []}
    try:
        said.update(loads(os.environ["GRANARY_SANDBOX"]))
    except (KeyError, TypeError, ValueError):
        pass
    return said


def _is_in(folders: "list[str]", name: str) -> bool:
    path = os.path.realpath(name)
    return any(path == folder or path.startswith(folder + "/") for folder in folders)


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


def _of_command(problem: BaseException, said: dict) -> "str | None":
    """A failed command of `subprocess`, whose captured output the error does not show."""
    mode, network = said["mode"], said["network"]
    for output in (getattr(problem, "stderr", None), getattr(problem, "stdout", None)):
        text = output.decode("utf-8", "replace") if isinstance(output, bytes) else output
        if not isinstance(text, str):
            continue
        if network in _NO_WAY and any(words in text for words in _UNREACHABLE):
            return _NO_WAY[network]
        number, names = reason_in(text)
        found = _of_files(number, names, said) if names else None
        if found is not None or number in _FORBIDDEN and not names:
            return found or f"The sandbox may forbid this: python.sandbox is {mode}."
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


def _is_covered(name: str) -> bool:
    """The device that is over a hidden file."""
    try:
        return stat.S_ISCHR(os.stat(name).st_mode) and not os.path.realpath(name).startswith("/dev/")
    except OSError:
        return False


def _is_hidden(path: str, mode: str) -> bool:
    """An empty folder that is read-only was put over the hidden one; in strict mode there is often nothing at all."""
    from .protected import mounts

    above = os.path.dirname(path)
    try:
        while not os.path.isdir(above):
            above = os.path.dirname(above)
        if mode == "strict" and os.stat(above).st_dev == os.stat("/").st_dev:
            return True
        # The working folder is a mount as well, and may be empty.
        return not os.listdir(above) and above in [place for place, _ in mounts()] and not os.access(above, os.W_OK)
    except OSError:
        return False
