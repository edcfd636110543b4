"""Runs code in a separate Python, prepared like the runner's, and records its displays instead of sending them."""

from __future__ import annotations

import atexit
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
given = sys.argv[2:]
sys.argv[1:] = []

def run(source, record):
    recorder.file = open(record, "w")
    exec(compile(source, "<cell 1>", "exec", dont_inherit=True), {"__name__": "__main__"})
    if "matplotlib.pyplot" in sys.modules:
        from granary_runner.display import flush_figures
        flush_figures()
"""

ONE_CELL = PREPARATION + """
run(sys.stdin.read(), *given)
"""

FORKS = PREPARATION + """
import gc, importlib, traceback
for name in given:
    importlib.import_module(name)
if "matplotlib.pyplot" in given:  # a first drawing looks for fonts
    import io, matplotlib.figure
    figure = matplotlib.figure.Figure()
    figure.add_subplot().set_title("1")
    figure.savefig(io.BytesIO())
    del figure
gc.freeze()  # a collection in a fork would copy the memory of everything imported
answers = os.fdopen(os.dup(1), "w")
for line in sys.stdin:
    folder, source = json.loads(line)
    child = os.fork()
    if child == 0:
        os.chdir(folder)
        for descriptor, name in ((1, "stdout"), (2, "stderr")):
            os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT), descriptor)
        status = 1
        try:
            run(source, "record")
            status = 0
        except BaseException:
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    print(os.waitpid(child, 0)[1], file=answers, flush=True)
"""


class ForkingPython:
    """Is prepared, has imported libraries, which takes longer than a cell, and forks for every cell."""

    _ready: dict = {}

    @classmethod
    def having(cls, modules: tuple, flags: tuple) -> ForkingPython:
        key = (modules, flags)
        if key not in cls._ready:
            cls._ready[key] = cls(modules, flags)
        return cls._ready[key]

    def __init__(self, modules: tuple, flags: tuple) -> None:
        # A fork has one thread, so that libraries must not have started more.
        threads = {name: "1" for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")}
        self._process = subprocess.Popen(
            [sys.executable, *flags, "-c", FORKS, str(SOURCES), *modules], env={**environment(), **threads},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8",
        )
        atexit.register(self._close)

    def run(self, folder: str, source: str) -> tuple:
        print(json.dumps([folder, source]), file=self._process.stdin, flush=True)
        status = int(self._process.stdout.readline())
        return (status, *(Path(folder, name).read_text("utf-8") for name in ("stdout", "stderr")))

    def _close(self) -> None:
        with self._process:
            self._process.stdin.close()


class RecordedCell:
    """The prints and displays of a cell, in order: `("display", data, metadata, id, update)`, …"""

    def __init__(self, source: str, site_packages: bool = True, having: tuple = (), **variables: str) -> None:
        """`having`: modules to import ahead, with their patches, as an earlier cell would."""
        flags = () if site_packages else ("-S",)
        with tempfile.TemporaryDirectory() as folder:
            record = Path(folder, "record")
            if not variables:
                status, self.stdout, self.stderr = ForkingPython.having(having, flags).run(folder, source)
            else:  # libraries read them when they are imported
                run = subprocess.run(
                    [sys.executable, *flags, "-c", ONE_CELL, str(SOURCES), str(record)],
                    input=source, encoding="utf-8", stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder,
                    env={**environment(), **variables},
                )
                status, self.stdout, self.stderr = run.returncode, run.stdout, run.stderr
            lines = record.read_text().splitlines() if record.exists() else []
        self.events = [tuple(json.loads(line)) for line in lines]
        if status != 0:
            raise AssertionError(f"the cell failed:\n{self.stderr}")

    @property
    def shown(self) -> list:
        """The data of every display."""
        return [event[1] for event in self.events if event[0] == "display"]


def environment() -> dict:
    return {**os.environ, "MPLBACKEND": "agg", "PYTHONIOENCODING": "utf-8"}
