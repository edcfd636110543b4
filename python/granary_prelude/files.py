"""`read_file()` and `write_file()`: reading and writing back leaves the file unchanged."""

from __future__ import annotations

import os
import stat
from itertools import islice

from . import status


def read_file(path: "str | os.PathLike", lines: "tuple[int, int | None] | None" = None, encoding: str = "utf-8") -> str:
    path = os.path.expanduser(path)
    first, last = (1, None) if lines is None else _range(lines)
    try:
        # Lines end at "\n" only, and line ends are not translated.
        with open(path, encoding=encoding, newline="\n") as file:
            text = file.read() if lines is None else "".join(islice(file, first - 1, last))
    except UnicodeDecodeError as problem:
        advice = f"{os.fspath(path)} is not {encoding} text; name its encoding=, or open it with open(path, 'rb')"
        raise ValueError(advice) from problem
    status.tell("read", path=status.shown_path(path), bytes=len(text.encode(encoding)), **_asked_for(lines))
    return text


def write_file(path: "str | os.PathLike", content: "str | bytes", encoding: str = "utf-8") -> None:
    data = content.encode(encoding) if isinstance(content, str) else bytes(memoryview(content))
    target = os.path.realpath(os.path.expanduser(path))  # a symbolic link stays one
    os.makedirs(os.path.dirname(target), exist_ok=True)
    existing = _stat(target)
    if existing is None or stat.S_ISREG(existing.st_mode):
        _replace(target, data, existing)
    else:
        with open(target, "wb") as file:  # a device or a named pipe; for a folder, Python reports the error
            file.write(data)
    status.tell("write", path=status.shown_path(path), bytes=len(data), created=existing is None)


def _replace(target: str, data: bytes, existing: "os.stat_result | None") -> None:
    if existing is not None and not os.access(target, os.W_OK):
        raise PermissionError(13, "the file is write-protected", target)
    # Beside the target, because a rename is atomic only within one file system.
    draft = f"{target}.{os.urandom(6).hex()}.tmp"
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb") as file:
            if existing is not None:
                os.fchmod(file.fileno(), stat.S_IMODE(existing.st_mode))
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, target)
    except BaseException:
        if os.path.exists(draft):
            os.remove(draft)
        raise


def _stat(path: str) -> "os.stat_result | None":
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _range(lines: "tuple[int, int | None]") -> "tuple[int, int | None]":
    try:
        first, last = lines
        if first < 1 or (last is not None and last < first):
            raise ValueError
    except (TypeError, ValueError):
        raise ValueError(f"lines is (first, last), counted from 1, such as (100, 120) or (100, None), not {lines!r}") from None
    return first, last


def _asked_for(lines: "tuple[int, int | None] | None") -> dict:
    return {} if lines is None else {"lines": list(lines)}
