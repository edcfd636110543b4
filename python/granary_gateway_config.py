"""The configuration of the Jupyter Kernel Gateway that Granary's processes on this machine share.

This is a configuration file of Jupyter: `python -m kernel_gateway --config=granary_gateway_config.py`. Values that differ
between gateways are in the environment.
"""

import asyncio
import contextlib
import json
import os
import signal
import tempfile
import time

from jupyter_server.services.kernels.connection.base import serialize_msg_to_ws_v1
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from kernel_gateway.services.kernels.manager import SeedingMappingKernelManager
from tornado.ioloop import PeriodicCallback
from tornado.websocket import WebSocketClosedError

LOOK_EVERY_SECONDS = 1.0
LAST_WORDS_BYTES = 16 * 1024
MOST_ENDED = 50
MARK_VARIABLE = "GRANARY_KERNEL"
SEARCHES = 100
HAS_NO_PROGRAM = 0x4 | 0x200000  # the flags of a process that is ending, and of a thread of the system's
UNUSED_KERNEL_SECONDS = float(os.environ.pop("GRANARY_UNUSED_KERNEL_SECONDS"))
IDLE_SECONDS = float(os.environ.pop("GRANARY_GATEWAY_IDLE_SECONDS"))


class SharedKernelManager(SeedingMappingKernelManager):
    """Starts kernels in the requested folder and environment, and ends unused ones.

    Jupyter's own culling spares a kernel that is busy or prints, even if its client is gone for good.
    """

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self._unused_since = {}
        self._without_kernels_since = time.monotonic()
        self._is_stopping = False
        self._ended = {}
        self._record = GatewayRecord("gateway.json")
        self._looking = PeriodicCallback(self._look, LOOK_EVERY_SECONDS * 1000)
        self._looking.start()
        self._watch_for_stop(self.parent)

    async def start_kernel(self, *args, env=None, **kwargs):
        """The handler only passes variables that begin with KERNEL_, so one of them carries all the others."""
        carried = (env or {}).get("KERNEL_GRANARY")
        if carried is None:
            return await super().start_kernel(*args, **kwargs, **({} if env is None else {"env": env}))
        asked_for = json.loads(carried)
        without_history = self._without_history_file(kwargs.get("kernel_name"))
        last_words = tempfile.TemporaryFile()
        kernel_id = await super().start_kernel(
            *args, **kwargs, **without_history, cwd=asked_for["cwd"], env=asked_for["env"], stderr=last_words
        )
        kernel = self.get_kernel(kernel_id)
        kernel.last_words = last_words
        kernel.mark = asked_for["env"].get(MARK_VARIABLE)
        return kernel_id

    def _without_history_file(self, kernel_name):
        """Cells of an agent do not belong in the history of the user's own IPython."""
        try:
            argv = self.kernel_spec_manager.get_kernel_spec(kernel_name or self.default_kernel_name).argv
        except Exception:  # the start reports the problem
            return {}
        is_ipykernel = "ipykernel_launcher" in argv or "ipykernel" in argv
        is_chosen = any("HistoryManager." in word for word in argv)
        return {"extra_arguments": ["--HistoryManager.hist_file=:memory:"]} if is_ipykernel and not is_chosen else {}

    async def shutdown_kernel(self, kernel_id, *args, **kwargs):
        """Jupyter does not report this, and a client that waits for a cell would wait for ever."""
        await super().shutdown_kernel(kernel_id, *args, **kwargs)
        self._ended.pop(kernel_id, None)
        for connection in TellingConnection.of_kernel(kernel_id):
            with contextlib.suppress(WebSocketClosedError):
                connection.tell_end(shut_down="gateway" if self._is_stopping else "kernel")

    def _watch_for_stop(self, app):
        """Clients are to know that the gateway ended the kernels, and not one of them."""
        stop = app.stop

        def stop_gateway(*args, **kwargs):
            self._is_stopping = True
            return stop(*args, **kwargs)

        app.stop = stop_gateway

    def remove_kernel(self, kernel_id):
        """Jupyter forgets a kernel that ended by itself. A client that is still connecting wants to know how."""
        manager = super().remove_kernel(kernel_id)
        end_marked(getattr(manager, "mark", None))
        process = getattr(getattr(manager, "provisioner", None), "process", None)
        exit_code = None if process is None else process.poll()
        if exit_code is not None:
            end = {"execution_state": "dead", "exit_code": exit_code, "said": last_words_of(manager)}
            self._ended[kernel_id] = {"id": kernel_id, **end}
            for oldest in list(self._ended)[:-MOST_ENDED]:
                del self._ended[oldest]
        return manager

    def kernel_model(self, kernel_id):
        """Clients are on the same machine, and may see the process and its exit."""
        if kernel_id in self._ended:
            return self._ended[kernel_id]
        model = super().kernel_model(kernel_id)
        process = getattr(self.get_kernel(kernel_id).provisioner, "process", None)
        if process is not None:
            model["pid"] = process.pid
            model["exit_code"] = process.poll()
        return model

    async def _look(self):
        now = time.monotonic()
        kernels = self.list_kernel_ids()
        self._unused_since = {
            kernel_id: self._unused_since.get(kernel_id, now)
            for kernel_id in kernels
            if self._kernel_connections.get(kernel_id, 0) == 0
        }
        if kernels:
            self._without_kernels_since = now
        unused = [kernel_id for kernel_id, since in self._unused_since.items() if now - since >= UNUSED_KERNEL_SECONDS]
        for kernel_id in unused:
            self.log.warning("Ending the unused kernel %s.", kernel_id)
        await asyncio.gather(*(self.shutdown_kernel(kernel_id, now=True) for kernel_id in unused))
        is_replaced = self._record.keep() == "replaced"
        if is_replaced and not any(self._kernel_connections.get(kernel_id, 0) for kernel_id in kernels):
            self.log.warning("Ending, since another gateway has taken the place of this one.")
            os.kill(os.getpid(), signal.SIGTERM)
        if now - self._without_kernels_since >= IDLE_SECONDS:
            self.log.warning("Ending, since there have been no kernels for %g s.", IDLE_SECONDS)
            os.kill(os.getpid(), signal.SIGTERM)


class GatewayRecord:
    """The file by which clients find this gateway. The gateway restores it when it is deleted or damaged.

    Clients that find no record start another gateway. Then the file names that one, and no new client comes here.
    """

    def __init__(self, path):
        self._path = os.path.abspath(path)
        self._own = None

    def keep(self):
        found = self._read()
        if found is None:
            if self._own is None:
                return "unknown"
            self._write(self._own)
            return "restored"
        content, pid = found
        if pid != os.getpid():
            return "replaced"
        self._own = content
        return "own"

    def _read(self):
        try:
            with open(self._path, "rb") as file:
                content = file.read()
            pid, url = json.loads(content)["pid"], json.loads(content)["url"]
            return (content, pid) if isinstance(pid, int) and isinstance(url, str) else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _write(self, content):
        draft = f"{self._path}.{os.getpid()}"
        with contextlib.suppress(OSError):
            with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(content)
            os.replace(draft, self._path)


class TellingConnection(ZMQChannelsWebsocketConnection):
    """Reports how a kernel ended, not only that it ended, and without delaying small packets."""

    _is_counted = False

    @classmethod
    def of_kernel(cls, kernel_id):
        return [connection for connection in cls._open_sockets if connection.kernel_id == kernel_id]

    def connect(self):
        self.websocket_handler.set_nodelay(True)
        self._is_counted = True
        return super().connect()

    def disconnect(self):
        """Jupyter subtracts each connection that ends, even one that ended before it was added."""
        if self._is_counted:
            self._is_counted = False
            return super().disconnect()
        # Two are added: with none left, Jupyter would keep messages for a client that never existed.
        for _ in range(2):
            self.multi_kernel_manager.notify_connect(self.kernel_id)
        super().disconnect()
        self.multi_kernel_manager.notify_disconnect(self.kernel_id)

    def on_restart_failed(self):
        self.tell_end(shut_down=None)

    def tell_end(self, *, shut_down):
        if "iopub" in self.channels:
            self.channels["iopub"].flush()  # the kernel's last messages come before its end
        process = getattr(self.kernel_manager.provisioner, "process", None)
        exit_code = None if process is None else process.poll()
        status = {"execution_state": "dead", "exit_code": exit_code, "said": last_words_of(self.kernel_manager)}
        status["shut_down"] = shut_down
        message = self.session.msg("status", status)
        self.write_message(serialize_msg_to_ws_v1(message, "iopub", self.session.pack), binary=True)


def end_marked(mark):
    """End what the code of a kernel started in other process groups and sessions. Only Linux shows environments."""
    if not mark or not os.path.exists("/proc/self/environ"):
        return
    entry = f"{MARK_VARIABLE}={mark}".encode()
    unknown = None  # those without an environment at the last look; None for all processes
    for _ in range(SEARCHES):  # a process that forks during a search is found in the next one
        pids = unknown if unknown is not None else list(filter(str.isdigit, os.listdir("/proc")))
        environments = {pid: content_of(f"/proc/{pid}/environ") for pid in pids}
        found = [pid for pid in pids if entry in (environments[pid] or b"").split(b"\0")]
        unknown = None if found else [pid for pid in pids if environments[pid] == b"" and is_beginning(pid)]
        if unknown == []:
            return
        for pid in found:
            with contextlib.suppress(OSError):
                os.kill(int(pid), signal.SIGKILL)
        time.sleep(0.005)


def is_beginning(pid):
    """Whether a process is in the middle of `exec`, where the system does not know its environment yet."""
    fields = (content_of(f"/proc/{pid}/stat") or b"").rpartition(b")")[2].split()
    is_there = len(fields) > 48 and fields[0] not in (b"Z", b"X") and not int(fields[6]) & HAS_NO_PROGRAM
    return is_there and fields[48] == b"0"


def content_of(path):
    """None for a process that has ended, and for those of other users."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None


def last_words_of(kernel_manager):
    """Output outside Jupyter's messages: the stack of a crash."""
    file = getattr(kernel_manager, "last_words", None)
    if file is None:
        return ""
    length = file.seek(0, os.SEEK_END)
    file.seek(max(0, length - LAST_WORDS_BYTES))
    return file.read().decode("utf-8", "replace")


c = get_config()  # noqa: F821  (Jupyter defines it)

c.KernelGatewayApp.kernel_manager_class = SharedKernelManager
c.KernelGatewayApp.kernel_websocket_connection_class = TellingConnection
c.KernelGatewayApp.ip = "127.0.0.1"
c.KernelGatewayApp.port = int(os.environ.pop("GRANARY_GATEWAY_PORT"))
c.KernelGatewayApp.port_retries = 0
# Kernels do not inherit this: each has its own environment.
c.KernelGatewayApp.auth_token = os.environ.pop("KG_AUTH_TOKEN")
c.KernelGatewayApp.allow_origin = ""
c.KernelGatewayApp.log_level = 30
# For `granary gateway status`; with the token, a client may run anything anyway.
c.JupyterWebsocketPersonality.list_kernels = True
# Rate limits drop output silently.
c.ZMQChannelsWebsocketConnection.limit_rate = False
# Do not restart a dead kernel silently, and notice its end soon.
c.AsyncIOLoopKernelRestarter.restart_limit = 0
c.AsyncIOLoopKernelRestarter.time_to_dead = 0.1
