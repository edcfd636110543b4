"""How Granary runs the Jupyter Kernel Gateway that its processes on this machine share.

This is a configuration file of Jupyter: `python -m kernel_gateway --config=granary_gateway_config.py`. What differs from
one gateway to the next is handed over in the environment.
"""

import asyncio
import json
import os
import signal
import time

from kernel_gateway.services.kernels.manager import SeedingMappingKernelManager
from tornado.ioloop import PeriodicCallback

LOOK_EVERY_SECONDS = 1.0
UNUSED_KERNEL_SECONDS = float(os.environ.pop("GRANARY_UNUSED_KERNEL_SECONDS"))
IDLE_SECONDS = float(os.environ.pop("GRANARY_GATEWAY_IDLE_SECONDS"))


class SharedKernelManager(SeedingMappingKernelManager):
    """Kernels in the folder and the environment that they are asked for with, and an end for what nobody uses.

    Jupyter's own culling spares a kernel that is busy or prints, even when whoever started it is gone for good.
    """

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self._unused_since = {}
        self._without_kernels_since = time.monotonic()
        self._looking = PeriodicCallback(self._look, LOOK_EVERY_SECONDS * 1000)
        self._looking.start()

    async def start_kernel(self, *args, env=None, **kwargs):
        """The handler lets only variables through that begin with KERNEL_, so one of them carries all the others."""
        asked_for = json.loads((env or {}).get("KERNEL_GRANARY", "{}"))
        if "env" in asked_for:
            env = asked_for["env"]
        if "cwd" in asked_for:
            kwargs["cwd"] = asked_for["cwd"]
        if env is not None:
            kwargs["env"] = env
        return await super().start_kernel(*args, **kwargs)

    def kernel_model(self, kernel_id):
        """Who asks is on the same machine, and may know the process and how it ended."""
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
            self.log.warning("Ending the kernel %s, which nobody uses any more.", kernel_id)
        await asyncio.gather(*(self.shutdown_kernel(kernel_id, now=True) for kernel_id in unused))
        if now - self._without_kernels_since >= IDLE_SECONDS:
            self.log.warning("Ending, since there have been no kernels for %g s.", IDLE_SECONDS)
            os.kill(os.getpid(), signal.SIGTERM)


c = get_config()  # noqa: F821  (Jupyter defines it)

c.KernelGatewayApp.kernel_manager_class = SharedKernelManager
c.KernelGatewayApp.ip = "127.0.0.1"
c.KernelGatewayApp.port = int(os.environ.pop("GRANARY_GATEWAY_PORT"))
c.KernelGatewayApp.port_retries = 0
# Kernels inherit nothing of this: each is given an environment of its own.
c.KernelGatewayApp.auth_token = os.environ.pop("KG_AUTH_TOKEN")
c.KernelGatewayApp.allow_origin = ""
# They drop output silently.
c.ZMQChannelsWebsocketConnection.limit_rate = False
# A kernel that has died is not started again behind its user's back; and its end is noticed soon.
c.AsyncIOLoopKernelRestarter.restart_limit = 0
c.AsyncIOLoopKernelRestarter.time_to_dead = 0.1
