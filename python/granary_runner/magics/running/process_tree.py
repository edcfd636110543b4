"""Ends a command and all its children.

After an interrupt most children are dead already: they are in our process group, and the signal went to the group.
The rest ignored it (background jobs of a shell do by default), and may have lost their parent.
"""

from __future__ import annotations

import os
import signal
import time

_PATIENCE = ((None, 0.1), (signal.SIGTERM, 0.3), (getattr(signal, "SIGKILL", signal.SIGTERM), 1.0))


class ProcessTree:
    """A started command. Create this right after the start: the start time distinguishes its orphans from older processes."""

    def __init__(self, process) -> None:
        self._process = process
        own = _read_stat(process.pid)
        self._started = None if own is None else own.started

    def end(self) -> None:
        """Wait a moment, then send SIGTERM, then SIGKILL."""
        for number, seconds in _PATIENCE:
            if number is not None:
                self._signal(number)
            if self._gone_within(seconds):
                return

    def _signal(self, number: int) -> None:
        for pid in self._members():
            try:
                os.kill(pid, number)
            except OSError:
                pass  # it has ended

    def _gone_within(self, seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        pause = 0.001
        while True:
            ended = self._process.poll() is not None
            if ended and not self._members():
                return True
            if time.monotonic() >= deadline:
                return False
            time.sleep(pause)
            pause = min(pause * 2, 0.05)

    def _members(self) -> list[int]:
        processes = {one.pid: one for one in _all_processes() if one.state != "Z"}
        above = _ancestors(processes)
        members = {self._process.pid}
        members |= {one.pid for one in processes.values() if self._is_orphan(one, processes, above)}
        grown = True
        while grown:
            children = {one.pid for one in processes.values() if one.parent in members}
            grown = not children <= members
            members |= children
        return [pid for pid in members if pid in processes]

    def _is_orphan(self, one: _Process, processes: dict[int, _Process], above: set[int]) -> bool:
        """In our group, younger than the command, and its parent is gone: the command started it."""
        if self._started is None or one.group != os.getpgrp() or one.pid == os.getpid():
            return False
        parent = processes.get(one.parent)
        # The first process of a container or a sandbox adopts orphans, and may be in our group.
        adopted = parent is None or parent.group != one.group or parent.pid in above
        return adopted and one.started is not None and one.started >= self._started


def _ancestors(processes: dict[int, _Process]) -> set[int]:
    """The processes that can adopt an orphan of ours, besides ourselves."""
    found: set[int] = set()
    parent = os.getppid()
    while parent in processes and parent not in found:
        found.add(parent)
        parent = processes[parent].parent
    return found


class _Process:
    __slots__ = ("pid", "parent", "group", "state", "started")

    def __init__(self, pid: int, parent: int, group: int, state: str, started: int | None) -> None:
        self.pid = pid
        self.parent = parent
        self.group = group
        self.state = state
        self.started = started


def _all_processes() -> list[_Process]:
    if os.path.exists("/proc/self/stat"):
        pids = (int(name) for name in os.listdir("/proc") if name.isdigit())
        return [one for one in map(_read_stat, pids) if one is not None]
    return _ask_ps()


def _read_stat(pid: int) -> _Process | None:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            text = file.read()
    except OSError:
        return None
    fields = text[text.rindex(b")") + 2 :].split()  # the name before it may contain spaces and parentheses
    return _Process(pid, int(fields[1]), int(fields[2]), fields[0].decode(), int(fields[19]))


def _ask_ps() -> list[_Process]:
    import subprocess

    try:
        table = subprocess.run(
            ["ps", "-A", "-o", "pid=,ppid=,pgid=,state="], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=5
        ).stdout.decode("ascii", "replace")
    except (OSError, subprocess.SubprocessError):
        return []
    rows = (line.split() for line in table.splitlines())
    return [_Process(int(row[0]), int(row[1]), int(row[2]), row[3][:1], None) for row in rows if len(row) >= 4]
