"""Runs a program in a pseudo-terminal and passes on what goes in and comes out.

Arguments: columns, rows, then the command. On standard input, a line of JSON for each thing to do: {"type": text},
{"resize": [columns, rows]}. Standard output is what the terminal is told, byte for byte. Ends as the program ends.
"""

import fcntl
import json
import os
import pty
import select
import struct
import sys
import termios


def main():
    columns, rows, *command = sys.argv[1:]
    pid, terminal = pty.fork()
    if pid == 0:
        resize(0, int(columns), int(rows))
        os.execvp(command[0], command)
    resize(terminal, int(columns), int(rows))
    relay(terminal)
    _, status = os.waitpid(pid, 0)
    sys.exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))


def relay(terminal):
    pending = b""
    listening = [terminal, 0]
    while True:
        ready, _, _ = select.select(listening, [], [])
        if terminal in ready:
            try:
                chunk = os.read(terminal, 65536)
            except OSError:  # what Linux says when the program has closed it
                return
            if not chunk:
                return
            os.write(1, chunk)
        if 0 in ready:
            given = os.read(0, 65536)
            if not given:
                # Nobody is there any more, and a program without its terminal is to end, as when a window is closed.
                os.close(terminal)
                return
            *lines, pending = (pending + given).split(b"\n")
            for line in lines:
                do(terminal, json.loads(line))


def do(terminal, wish):
    if "type" in wish:
        os.write(terminal, wish["type"].encode())
    if "resize" in wish:
        resize(terminal, *wish["resize"])


def resize(terminal, columns, rows):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


main()
