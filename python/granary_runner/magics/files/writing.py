"""%%writefile and %load: text from a cell into a file, and from a file into the output."""

from __future__ import annotations

import os

from ..call import MagicCall
from ..syntax import source_parts
from ..syntax.options import FLAG, VALUE, Options
from ..syntax.usage_error import UsageError


def _writefile(call: MagicCall) -> None:
    """Write the cell into a file: `%%writefile [-a] path`; -a appends."""
    options = Options(call, {"-a": FLAG, "--append": FLAG}, "[-a] path")
    append = "-a" in options or "--append" in options
    if len(options.rest) != 1:
        raise UsageError(f"%%{call.name} needs one path, for example: %%{call.name} notes.txt")
    path = os.path.expanduser(options.rest[0])
    text = call.body if call.body.endswith("\n") or not call.body else call.body + "\n"
    existed = os.path.exists(path)
    with open(path, "a" if append else "w", encoding="utf-8", errors="surrogatepass", newline="") as file:
        file.write(text)
    print(f"{'Appending to' if append else 'Overwriting' if existed else 'Writing'} {path}")


def _load(call: MagicCall) -> None:
    """Show a file, without running it: `%load [-r LINES] [-s NAMES] [-n] file`.

    -r shows lines (`-r 5-10,20,30:`), -s functions and classes (`-s Class,function`), -n takes the name of an object instead of a
    file. -y is accepted.
    """
    options = Options(call, {"-r": VALUE, "-s": VALUE, "-n": FLAG, "-y": FLAG}, "[-r LINES] [-s NAMES] [-n] file")
    if len(options.rest) != 1:
        raise UsageError(f"%{call.name} needs one file, for example: %{call.name} script.py")
    name = options.rest[0]
    text = _source_of_name(call, name) if "-n" in options else _read(call, os.path.expanduser(name))
    is_part = "-r" in options or "-s" in options
    if "-s" in options:
        text = source_parts.definitions(text, options.given["-s"].split(","), name)
    if "-r" in options:
        text = source_parts.lines(text, options.given["-r"])
    is_script = name.endswith(".py") and not is_part and "-n" not in options
    print(f"# {name}, shown but not run{f'; run it with: %run {name}' if is_script else ''}")
    print(text, end="" if text.endswith("\n") else "\n")


def _read(call: MagicCall, path: str) -> str:
    if "://" in path:
        raise UsageError(f"%{call.name} reads files, not addresses. Fetch it first, for example with: !curl -O {path}")
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def _source_of_name(call: MagicCall, name: str) -> str:
    import inspect

    from ...questions.inspection import look_up

    missing = object()
    value = look_up(call.namespace, name, missing)
    if value is missing:
        raise UsageError(f"%{call.name} -n: {name} is not defined.")
    try:
        return inspect.getsource(value)  # type: ignore[arg-type]
    except (TypeError, OSError):
        raise UsageError(f"%{call.name} -n: {name} has no source in Python.") from None


def _less(call: MagicCall) -> None:
    """Show a file unchanged: `%less file`; notebooks do not store the text."""
    from .. import show_page

    words = Options(call, usage="file").rest
    if len(words) != 1:
        raise UsageError(f"%{call.name} needs one file, for example: %{call.name} notes.txt")
    show_page(_read(call, os.path.expanduser(words[0])))


LINE = {"load": _load, "loadpy": _load, "pycat": _load, "less": _less, "more": _less}
CELL = {"writefile": _writefile, "file": _writefile}
