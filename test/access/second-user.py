"""
Another user of the machine: lists what it can read, write or connect to below some folders, and where it can make files.
With `--server PORT`, lists what it learns about the server at that port, and whose secret is the text on standard input.
"""

import os
import socket
import sys
import urllib.error
import urllib.request


def can(attempt, *args):
    try:
        attempt(*args)
        return True
    except OSError:
        return False


def opened(path, mode):
    os.close(os.open(path, mode | os.O_NONBLOCK))


def look_at(server):
    secret = sys.stdin.read().strip().encode()
    for pid in filter(str.isdigit, os.listdir("/proc")):
        for file in ("cmdline", "environ", "fd/0", "cwd/.", "mem"):
            try:
                with open("/proc/%s/%s" % (pid, file), "rb") as opened_file:
                    content = opened_file.read(100_000)
            except (OSError, ValueError):
                continue
            if secret in content:
                print("secret", file)
    for method, path in ROUTES:
        for headers in HEADERS:
            status = asked(server, method, path, headers)
            if status not in (401, 403, 404):
                print("answered", method, path, status, headers)


ROUTES = [
    *(("GET", path) for path in ("/mcp", "/page/api/sessions", "/api/kernels", "/call")),
    *(("POST", path) for path in ("/mcp", "/call", "/api/kernels")),
    *((method, "/call") for method in ("PUT", "DELETE", "OPTIONS", "PATCH")),
]
JSON = {"Content-Type": "application/json"}
HEADERS = [
    {},
    JSON,
    {**JSON, "Authorization": "Bearer granary-bridge-guessed"},
    {**JSON, "Authorization": "Bearer "},
    {**JSON, "Host": "evil.example"},
    {**JSON, "Origin": "http://evil.example"},
]


def asked(server, method, path, headers):
    data = b'{"name": "read", "args": {}}' if method == "POST" else None
    request = urllib.request.Request(server + path, data=data, headers=headers, method=method)
    try:
        return urllib.request.urlopen(request, timeout=20).status
    except urllib.error.HTTPError as error:
        return error.code


if sys.argv[1:2] == ["--server"]:
    look_at("http://127.0.0.1:" + sys.argv[2])
    sys.exit()
for root in sys.argv[1:]:
    for folder, _, names in os.walk(root):
        if os.access(folder, os.W_OK):
            print("make", folder)
        for name in names:
            path = os.path.join(folder, name)
            if can(socket.socket(socket.AF_UNIX).connect, path):
                print("connect", path)
            if can(opened, path, os.O_RDONLY):
                print("read", path)
            if can(opened, path, os.O_WRONLY):
                print("write", path)
