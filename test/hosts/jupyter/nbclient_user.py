"""Runs notebooks with nbclient through a door, and with ipykernel where asked; prints their outputs as JSON.

Arguments: the address of the door with its token, `door` or `both`, the notebooks.
"""
import copy
import json
import os
import re
import sys

import nbformat
from jupyter_server.gateway.gateway_client import GatewayClient
from nbclient import NotebookClient

url, kernels, *paths = sys.argv[1:]
GatewayClient.instance().url = url


def outputs(path, **choices):
    notebook = nbformat.read(path, 4)
    client = NotebookClient(notebook, kernel_name="python3", allow_errors=True, timeout=60, **choices)
    client.execute(cwd=os.path.dirname(path))
    return [[comparable(output) for output in cell.outputs] for cell in notebook.cells if cell.cell_type == "code"]


def comparable(output):
    """Without tracebacks, which each kernel writes in its own way, and without addresses in memory."""
    output = copy.deepcopy(output)
    output.pop("traceback", None)
    return json.loads(re.sub(r"0x[0-9a-f]{6,}", "<ADDRESS>", json.dumps(output)))


told = {}
for path in paths:
    ways = {"door": {"kernel_manager_class": "jupyter_server.gateway.managers.GatewayKernelManager"}, "ipykernel": {}}
    told[os.path.basename(path)] = {way: outputs(path, **choices) for way, choices in ways.items() if way == "door" or kernels == "both"}
print(json.dumps(told))
