"""Where the running cell is: the stack of the main thread, looked at from another one.

None of the user's code is called, and no frame is kept: a frame that is kept would keep the values of its variables.
"""

from __future__ import annotations

import os
import sys
import time
from types import AsyncGeneratorType, CoroutineType, GeneratorType

from ..wire import emit
from ..wire.frames import dumps
from . import main_module

_OWN = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_MOST = 100  # frames, the innermost
_MOST_NOTED = 30
_MOST_THREADS = 8
_PLACE = 16  # in the journal, behind the number of the cell
_TASKS = 10  # that wait for each other
_noted: tuple = ()


def told(main: int, here: int) -> dict:
    """The stack of the cell, and of the user's other threads. `main` and `here` are threads: the cell's, and ours."""
    running = sys._current_frames()
    frames = _cell_frames(running.get(main)) if emit.cell_id is not None else []
    threads = []
    for number, innermost in running.items():
        found = [] if number in (main, here) else _places(innermost, _MOST_NOTED)
        if found:  # without frames it is one of ours
            threads.append({"name": _name_of(number), "frames": _with_sources(found)})
    return {"cell": emit.cell_id, "frames": _with_sources(frames), "threads": threads[:_MOST_THREADS]}


def note(main: int, journal: int) -> None:
    """Write where the cell is into the journal, for a host that gets no answer while C code holds the interpreter lock."""
    places = _if_moved(main)
    # By now all frames are let go of, which may run a __del__: it must not happen while we wait for something.
    if places is not None:
        known = {"cell": emit.cell_id, "at": time.time(), "frames": places}
        os.pwrite(journal, (dumps(known) + "\n").encode(), _PLACE)


def _if_moved(main: int) -> "list | None":
    global _noted
    innermost = sys._current_frames().get(main)
    if innermost is None:
        return None
    moved = (emit.cell_id, id(innermost), innermost.f_lasti)
    if moved == _noted:
        return None
    _noted = moved
    return _places(innermost, _MOST_NOTED)


def _cell_frames(innermost) -> list:
    """A cell that awaits is on no stack: its coroutines are asked where they are."""
    loop = sys.modules.get("granary_runner.cells.loop")
    task = None if loop is None else loop._task
    if task is None or task.done() or _runs_parts(innermost):
        return _places(innermost, _MOST)
    found = [_place(frame) for frame in _awaiting(task)]
    return _without_ours(found)[-_MOST:]


def _runs_parts(frame) -> bool:
    """Whether the code of a cell that awaits is running right now."""
    while frame is not None:
        if frame.f_code.co_name == "run_parts" and frame.f_code.co_filename.startswith(_OWN):
            return True
        frame = frame.f_back
    return False


def _awaiting(task):
    import asyncio

    for _ in range(_TASKS):
        coroutine = task.get_coro()
        while True:
            if type(coroutine) is CoroutineType:
                frame, following = coroutine.cr_frame, coroutine.cr_await
            elif type(coroutine) is GeneratorType:
                frame, following = coroutine.gi_frame, coroutine.gi_yieldfrom
            elif type(coroutine) is AsyncGeneratorType:
                frame, following = coroutine.ag_frame, coroutine.ag_await
            else:
                break
            if frame is not None:
                yield frame
            coroutine = following
        task = getattr(task, "_fut_waiter", None)
        if not isinstance(task, asyncio.Task):
            return


def _places(innermost, most: int) -> list:
    """`[file, line, function]` of each frame, the outermost first, without those of the runner: around the cell and in magics."""
    places = []
    frame = innermost
    while frame is not None and len(places) < most + 20:
        places.append(_place(frame))
        frame = frame.f_back
    places.reverse()
    return _without_ours(places)[-most:]


def _place(frame) -> list:
    code = frame.f_code
    return [code.co_filename, frame.f_lineno, getattr(code, "co_qualname", code.co_name)]


def _without_ours(places: list) -> list:
    return [place for place in places if not place[0].startswith(_OWN)]


def _with_sources(places: list) -> list:
    return [{"file": file, "line": line, "function": name, "source": _source(file, line)} for file, line, name in places]


def _source(file: str, line: "int | None") -> "str | None":
    if line is None:
        return None
    cell = main_module.sources.get(file)
    if cell is not None:
        lines = cell.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        return lines[line - 1].strip()[:200] if 0 < line <= len(lines) else None
    import linecache

    return linecache.getline(file, line).strip()[:200] or None


def _name_of(number: int) -> "str | None":
    threading = sys.modules.get("threading")
    thread = None if threading is None else threading._active.get(number)
    name = None if thread is None else vars(thread).get("_name")  # not .name, which a subclass may have replaced
    return name if type(name) is str else None
