"""Runs code in a separate Python, prepared like the runner's, and records its displays instead of sending them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCES = Path(__file__).resolve().parent.parent

PREPARATION = """
import json, os, sys, types
sys.path.insert(0, sys.argv[1])
import granary_runner.wire

class Recorder:
    def __init__(self):
        self.file = open(sys.argv[2], "w")
    def note(self, kind, *values):
        self.file.write(json.dumps([kind, *values], allow_nan=False) + "\\n")
        self.file.flush()
    def display(self, data, metadata, display_id=None, update=False, line=None, page=False):
        self.note("display", data, metadata, display_id, update)
    def clear(self, wait):
        self.note("clear", wait)
    def ask(self, prompt, password):
        self.note("ask", prompt, password)
        return "the answer"

recorder = Recorder()
for name in ("emit", "asking"):
    sys.modules["granary_runner.wire." + name] = recorder
    setattr(granary_runner.wire, name, recorder)
from granary_runner import import_hooks
for name in ("_posixsubprocess", "linecache"):  # these patches serve the runner itself, which is not running here
    import_hooks.PATCHES.pop(name, None)
import_hooks.install()
sys.path[0] = ""
source = sys.stdin.read()
sys.argv[1:] = []
exec(compile(source, "<cell 1>", "exec", dont_inherit=True), {"__name__": "__main__"})
if "matplotlib.pyplot" in sys.modules:
    from granary_runner.display import flush_figures
    flush_figures()
"""


class RecordedCell:
    """The prints and displays of a cell, in order: `("display", data, metadata, id, update)`, …"""

    def __init__(self, source: str, site_packages: bool = True, **environment: str) -> None:
        with tempfile.TemporaryDirectory() as folder:
            record = Path(folder, "record")
            run = subprocess.run(
                [sys.executable, *([] if site_packages else ["-S"]), "-c", PREPARATION, str(SOURCES), str(record)],
                input=source, encoding="utf-8", stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder,
                env={**os.environ, "MPLBACKEND": "agg", "PYTHONIOENCODING": "utf-8", **environment},
            )
            lines = record.read_text().splitlines() if record.exists() else []
        self.stdout, self.stderr = run.stdout, run.stderr
        self.events = [tuple(json.loads(line)) for line in lines]
        if run.returncode != 0:
            raise AssertionError(f"the cell failed:\n{run.stderr}")

    @property
    def shown(self) -> list:
        """The data of every display."""
        return [event[1] for event in self.events if event[0] == "display"]
