"""Start: descriptors, hello, streams, then requests one after another until the host ends the runner."""

from __future__ import annotations

import builtins
import faulthandler
import os
import sys

from . import import_hooks
from .cells import compiling, execute, interrupt, main_module
from .wire import asking, control, emit, forks, frames, marks, streams
from .wire import requests as wire_requests

PROTOCOL = 1
_MODULES = (asking, compiling, control, emit, execute, forks, frames, interrupt, main_module, marks, streams, wire_requests)
interrupt.guard(__file__, *(module.__file__ for module in _MODULES))
_ABOUT = {
    "t": "hello",
    "protocol": PROTOCOL,
    "python": "%d.%d.%d" % sys.version_info[:3],
    "executable": sys.executable,
    "settles": marks.LINUX,
    "prelude": True,
}
_HELLO = frames.dumps(_ABOUT)[:-1].replace("%", "%%") + ',"pid":%d,"mark":"%s","pipes":[%d,%d],"journal":%s%s}\n'


def main() -> None:
    if len(sys.argv) > 1:  # `template`: a warm interpreter, which forks; what follows runs in the forked children
        from .forking import child, template

        channels = template.serve(prepare)
        requests = child.wait_for_start(channels[0])
        connect(channels, requests)
        control.listen()
        if "asyncio" in sys.modules:
            child.renew_event_loop()
        _serve(requests)
    else:
        channels = tuple(_move_up(fd) for fd in (3, 4, 5, 6))
        if os.getpgrp() != os.getpid():
            os.setsid()
        control.arm_lifeline(channels[3])
        requests = frames.Lines(channels[0])
        connect(channels, requests)
        control.listen()
        prepare()
        main_module.search_working_folder()
        _serve(requests)


def connect(channels: "tuple[int, ...]", requests: frames.Lines, restored: "dict | None" = None) -> None:
    """Become the kernel behind these channels, but for the thread of `control.listen`.

    `restored`: what `hello` says of one that was a kernel before."""
    frames_fd, control_fd, interrupt_fd, lifeline = channels
    interrupt.install(interrupt_fd)  # before `hello`, because the host may interrupt at once
    emit.open_channel(frames_fd)
    _open_streams(requests, frames_fd, restored)
    faulthandler.enable(interrupt_fd, all_threads=False)
    forks.install(frames_fd, control_fd, interrupt_fd, lifeline, marks.out, marks.err)
    control.open_channel(control_fd)


def prepare() -> None:
    """Prepare what the user's code finds, the same for every host. Once per interpreter."""
    if "GRANARY_MEMORY_LIMIT_MB" in os.environ:
        from . import limits

        if limits.apply():
            execute.limits = control.limits = limits
    if os.path.isdir(os.environ.get("GRANARY_OVERLAY", "")):
        from . import overlay

        overlay.activate()
    _choose_matplotlib_backend()
    _prepare_builtins()
    import_hooks.install()
    execute.start(main_module.install())


def _choose_matplotlib_backend() -> None:
    """A backend without windows. A notebook's backend, inherited from Jupyter, may need missing packages."""
    if os.environ.get("MPLBACKEND", "module:").startswith("module:"):
        os.environ["MPLBACKEND"] = "agg"


def _move_up(fd: int) -> int:
    private = streams.private_copy(fd)
    os.close(fd)
    return private


def _open_streams(requests: frames.Lines, frames_fd: int, restored: "dict | None") -> None:
    """Say hello, and agree with the host on fd 1 and 2."""
    out_read, out_write = os.pipe()
    err_read, err_write = os.pipe()
    mark = os.urandom(16).hex()
    journal = _make_journal()
    marks.use_frames(frames_fd, mark)
    more = "" if restored is None else ',"restored":' + frames.dumps(restored)
    hello = _HELLO % (os.getpid(), mark, out_read, err_read, "null" if journal is None else journal, more)
    frames.write_all(frames_fd, hello.encode())
    answer = _next(requests)
    if answer["use"] != "pipes":
        os.close(out_write)
        os.close(err_write)
        out_write, err_write = streams.OUT, streams.ERR
    if answer["use"] == "fifos":
        from .wire import fifos

        answer, out_write, err_write = fifos.offer(frames_fd, lambda: _next(requests))
    emit.host_opens_descriptors = answer["use"] == "pipes"
    if answer.get("journal") and journal is not None:
        emit.use_journal(journal)
    elif journal is not None:
        os.close(journal)
    os.close(out_read)
    os.close(err_read)
    streams.attach(out_write, err_write, answer.get("settled", False))


def _make_journal() -> "int | None":
    """A file in memory for the number of the cell that began last."""
    try:
        return _move_up(os.memfd_create("granary-journal"))
    except (AttributeError, OSError):
        return None


def _next(requests: frames.Lines) -> dict:
    request = wire_requests.next_of(requests, "streams")
    if request is None:
        os._exit(0)
    return request


def _prepare_builtins() -> None:
    """The names that user code finds without importing anything."""

    @interrupt.calls_user_code
    def display(*objects, **options):
        """Show objects richly: display(df), display(a, b), display(fig, display_id="plot")."""
        from . import display as module

        return module.display(*objects, **options)

    def get_ipython():
        """The shell that runs this cell, with IPython's methods."""
        from . import ipython_shell

        return ipython_shell.get_ipython()

    class Magics:
        """The target of the calls for `%magic`, `!command` and `object?`."""

        def __getattr__(self, name: str):
            from . import magics

            return getattr(magics, name)

    builtins.display = display
    builtins.__IPYTHON__ = True  # tells libraries that `get_ipython()` returns a shell
    builtins.get_ipython = get_ipython
    builtins.In = builtins._ih = execute.inputs
    builtins.Out = builtins._oh = execute.outputs
    builtins.input = asking.replacement_input
    builtins.__granary__ = Magics()


def _serve(requests: frames.Lines) -> None:
    while True:
        loop = sys.modules.get("granary_runner.cells.loop")
        if loop is not None:
            if requests.waiting():
                loop.current()
            else:
                loop.run_until_readable(requests.fd)
        request = wire_requests.next_of(requests)
        if request is None:
            return
        operation = request["op"]
        if "checkpoint" in request:
            from .checkpoints import checkpoint

            restored = checkpoint.take(request["checkpoint"])
            if restored is not None:  # a kernel again, out of the copy
                requests = restored
                continue
        if operation == "execute":
            execute.cell(request)
        elif operation == "checkpoint":
            pass
        elif operation == "shutdown":
            if request.get("imports"):
                _tell_imports()
            return
        else:
            _reply_to(request)


def _tell_imports() -> None:
    try:
        from . import used_modules

        names = used_modules.names(execute.namespace())
    except BaseException:
        return
    emit.send_at_once({"t": "imports", "modules": names})


def _reply_to(request: dict) -> None:
    """A failing question must not end Python, even if cells changed its modules."""
    value: object = {}
    try:
        from .questions import answering as questions

        value = questions.bounded(questions.answer(request))
    except BaseException:
        if request["op"] == "complete":
            value = {"matches": [], "start": request["cursor"], "end": request["cursor"]}
        elif request["op"] == "is-complete":
            value = {"status": "unknown"}
    if forks.is_child():
        forks.leave(None)
    emit.send_at_once({"t": "reply", "id": request["id"], "value": value})
