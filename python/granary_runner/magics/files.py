"""%%writefile"""

from __future__ import annotations

import os

from .call import MagicCall
from .usage_error import UsageError


def _writefile(call: MagicCall) -> None:
    """Write the cell into a file: `%%writefile [-a] path`; -a appends."""
    words = call.words()
    append = "-a" in words or "--append" in words
    paths = [word for word in words if word not in ("-a", "--append")]
    if len(paths) != 1:
        raise UsageError(f"%%{call.name} needs one path, for example: %%{call.name} notes.txt")
    path = os.path.expanduser(paths[0])
    text = call.body if call.body.endswith("\n") or not call.body else call.body + "\n"
    existed = os.path.exists(path)
    with open(path, "a" if append else "w", encoding="utf-8", errors="surrogatepass", newline="") as file:
        file.write(text)
    print(f"{'Appending to' if append else 'Overwriting' if existed else 'Writing'} {path}")


LINE: dict = {}
CELL = {"writefile": _writefile, "file": _writefile}
