"""The peer of the benchmarks: one JSON request per line in, one JSON value per line out; times in milliseconds."""

import json
import queue
import subprocess
import sys
import time

import ipykernel
import jupyter_client

manager = None
client = None


def start():
    """Replace the kernel; the time includes its first result, but not the shutdown of the previous kernel."""
    global manager, client
    stop()
    begun = time.perf_counter()
    manager = jupyter_client.KernelManager(kernel_name="python3")
    manager.start_kernel(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # it prints advice
    client = manager.client()
    client.start_channels()
    client.wait_for_ready(timeout=60)
    execute("1+1")
    return since(begun)


def stop():
    if manager is not None:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def execute(code):
    """The client's own loop: it waits for the reply and for all output."""
    reply = client.execute_interactive(code, output_hook=lambda message: None, timeout=120)
    assert reply["content"]["status"] == "ok", reply["content"]


def run(code):
    begun = time.perf_counter()
    execute(code)
    return since(begun)


def interrupt(code):
    """None if the cell keeps running; the kernel is then replaced."""
    request = client.execute(code)
    wait_for_status(request, "busy")
    time.sleep(0.1)  # an interrupt that comes before the cell's first line is lost
    begun = time.perf_counter()
    manager.interrupt_kernel()
    try:
        client.get_shell_msg(timeout=5)
    except queue.Empty:
        start()
        return None
    wait_for_status(request, "idle")
    return since(begun)


def wait_for_status(request, state):
    while True:
        message = client.get_iopub_msg(timeout=10)
        ours = message["parent_header"].get("msg_id") == request
        if ours and message["msg_type"] == "status" and message["content"]["execution_state"] == state:
            return


def since(begun):
    return (time.perf_counter() - begun) * 1000


def versions():
    return "ipykernel %s, jupyter_client %s" % (ipykernel.__version__, jupyter_client.__version__)


def pid():
    return manager.provisioner.pid


operations = {"start": start, "run": run, "interrupt": interrupt, "versions": versions, "pid": pid}
for line in sys.stdin:
    request = json.loads(line)
    operation = operations[request.pop("op")]
    print(json.dumps(operation(**request)), flush=True)
stop()
