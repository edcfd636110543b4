"""Runs a program in a pseudo-terminal and relays its input and output.

Arguments: columns, rows, then the command. On standard input, one line of JSON per action: {"type": text},
{"resize": [columns, rows]}. Standard output has the bytes written to the terminal. Exits with the program's status.
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

# More than a terminal takes at once would make us wait for a program that may be waiting for us.
MOST_TYPED_AT_ONCE = 512
# No test leaves a program behind.
SECONDS_TO_END = 15


def main():
    # Python ignores it, and the program would inherit that.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    columns, rows, *command = sys.argv[1:]
    pid, terminal = pty.fork()
    if pid == 0:
        resize(0, int(columns), int(rows))
        os.execvp(command[0], command)
    relay(terminal)
    # As when a window is closed: the kernel tells the program, if it is still there.
    os.close(terminal)
    signal.signal(signal.SIGALRM, lambda *_: os.kill(pid, signal.SIGKILL))
    signal.alarm(SECONDS_TO_END)
    _, status = os.waitpid(pid, 0)
    sys.exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))


def relay(terminal):
    """Runs until the program has closed its terminal, or the reader is gone."""
    unread = b""
    to_type = b""
    while True:
        ready, writable, _ = select.select([terminal, 0], [terminal] if to_type else [], [])
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
                return
            *lines, unread = (unread + given).split(b"\n")
            for line in lines:
                wish = json.loads(line)
                to_type += wish.get("type", "").encode()
                if "resize" in wish:
                    resize(terminal, *wish["resize"])
        if terminal in writable:
            to_type = to_type[os.write(terminal, to_type[:MOST_TYPED_AT_ONCE]) :]


def resize(terminal, columns, rows):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


main()
