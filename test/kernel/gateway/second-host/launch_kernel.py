"""
Starts ipykernel on the host that Enterprise Gateway has chosen, and reports its address to the gateway as required: the
connection in AES, the key to that in the gateway's RSA. `launch_kernel.py KERNEL_ID RESPONSE_ADDRESS PUBLIC_KEY`
"""

import base64
import json
import os
import secrets
import socket
import sys
import tempfile

from Cryptodome.Cipher import AES, PKCS1_v1_5
from Cryptodome.PublicKey import RSA
from Cryptodome.Util.Padding import pad

kernel_id, response_address, public_key = sys.argv[1:]

sockets = [socket.create_server(("", 0)) for _ in range(5)]
ports = [one.getsockname()[1] for one in sockets]
for one in sockets:
    one.close()
names = ["shell_port", "iopub_port", "stdin_port", "control_port", "hb_port"]
connection = {
    **dict(zip(names, ports)),
    "ip": "0.0.0.0",
    "transport": "tcp",
    "signature_scheme": "hmac-sha256",
    "key": secrets.token_hex(16),
    "kernel_name": "",
}
descriptor, path = tempfile.mkstemp(suffix=".json")
with os.fdopen(descriptor, "w") as file:
    json.dump(connection, file)

aes_key = secrets.token_bytes(16)
told = {**connection, "kernel_id": kernel_id, "pid": os.getpid(), "pgid": os.getpgid(0)}
secret = AES.new(aes_key, AES.MODE_ECB).encrypt(pad(json.dumps(told).encode(), 16))
locked = PKCS1_v1_5.new(RSA.import_key(base64.b64decode(public_key))).encrypt(aes_key)
payload = {"version": 1, "key": base64.b64encode(locked).decode(), "conn_info": base64.b64encode(secret).decode()}
host, _, port = response_address.rpartition(":")
with socket.create_connection((host, int(port))) as gateway:
    gateway.sendall(base64.b64encode(json.dumps(payload).encode()))

os.execv(sys.executable, [sys.executable, "-m", "ipykernel_launcher", "-f", path])
