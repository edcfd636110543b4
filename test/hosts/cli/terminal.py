"""Runs a program in a terminal of its own and types into it.

Takes JSON on standard input: {"command": [...], "steps": [{"after": text, "type": text}, ...]}.
Each step waits until the screen has shown its text since the last step. Prints {"screen": ..., "exitCode": ...}.
"""

import json
import os
import pty
import sys

wanted = json.load(sys.stdin)
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(wanted["command"][0], wanted["command"])

screen = b""


def read():
    """False when the program has closed the terminal, which Linux reports as an error."""
    global screen
    try:
        chunk = os.read(terminal, 65536)
    except OSError:
        return False
    screen += chunk
    return chunk != b""


seen = 0
for step in wanted["steps"]:
    text = step["after"].encode()
    while text not in screen[seen:] and read():
        pass
    seen = len(screen)
    os.write(terminal, step["type"].encode())
while read():
    pass
_, status = os.waitpid(pid, 0)
print(json.dumps({"screen": screen.decode().replace("\r\n", "\n"), "exitCode": status >> 8}))
