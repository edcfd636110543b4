"""%%writefile and %load: text from a cell into a file, and from a file into the output."""

from __future__ import annotations

import os

from .call import MagicCall
from .options import FLAG, Options
from .usage_error import UsageError


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
    """Show a file. It is not run, and nothing is put into the cell."""
    words = Options(call, usage="file").rest
    if len(words) != 1:
        raise UsageError(f"%{call.name} needs one file, for example: %{call.name} script.py")
    path = os.path.expanduser(words[0])
    if "://" in path:
        raise UsageError(f"%{call.name} reads files, not addresses. Fetch it first, for example with: !curl -O {path}")
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    hint = f"; run it with: %run {words[0]}" if path.endswith(".py") else ""
    print(f"# {words[0]}, shown but not run{hint}")
    print(text, end="" if text.endswith("\n") else "\n")


LINE = {"load": _load, "pycat": _load}
CELL = {"writefile": _writefile, "file": _writefile}
