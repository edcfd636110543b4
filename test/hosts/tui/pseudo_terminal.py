"""Runs a program in a terminal of its own, for somebody who sees what it writes and types into it.

The arguments are columns, rows and the command. What the program writes goes to standard output as it is. Standard input
is JSON, one object a line: {"type": text} or {"resize": [columns, rows]}. Ends with the program's exit code.
"""

import fcntl
import json
import os
import pty
import select
import signal
import struct
import sys
import termios


def set_size(terminal, columns, rows):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", int(rows), int(columns), 0, 0))


columns, rows, *command = sys.argv[1:]
pid, terminal = pty.fork()
if pid == 0:
    set_size(0, columns, rows)
    os.execvp(command[0], command)

# Whoever reads us may be gone before the program is.
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
waiting = b""
sources = [0, terminal]
while terminal in sources:
    ready, _, _ = select.select(sources, [], [])
    if terminal in ready:
        try:
            chunk = os.read(terminal, 65536)
        except OSError:  # Linux's way of saying that nobody has the terminal open any more
            chunk = b""
        if not chunk:
            break
        os.write(1, chunk)
    if 0 in ready:
        chunk = os.read(0, 65536)
        if not chunk:
            # The test is over.
            os.kill(pid, signal.SIGHUP)
            sources.remove(0)
        *lines, waiting = (waiting + chunk).split(b"\n")
        for line in lines:
            order = json.loads(line)
            if "type" in order:
                os.write(terminal, order["type"].encode())
            if "resize" in order:
                set_size(terminal, *order["resize"])
os.close(terminal)
_, status = os.waitpid(pid, 0)
sys.exit(status >> 8 if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))
