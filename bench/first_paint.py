"""Prints the milliseconds from the start of a program in a terminal until its prompt appears."""

import os
import pty
import signal
import sys
import time

begun = time.monotonic()
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])

seen = b""
while "❯".encode() not in seen:
    seen += os.read(terminal, 65536)
print((time.monotonic() - begun) * 1000)
os.kill(pid, signal.SIGKILL)
os.waitpid(pid, 0)
