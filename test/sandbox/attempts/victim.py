"""Another program of the user, with things that code in a sandbox must not reach. Prints them as JSON, and waits."""

import ctypes
import json
import os
import pty
import signal
import socket
import sys
import time

libc = ctypes.CDLL(None, use_errno=True)
listener = socket.socket(socket.AF_UNIX)
is_linux = sys.platform == "linux"
if is_linux:
    listener.bind("\0" + sys.argv[1])
    listener.listen(9)
datagrams = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
datagrams.bind(os.path.abspath("log.sock"))
leader, terminal = pty.openpty()
queue = "/granary-test-%d" % os.getpid()
if is_linux:
    libc.syscall(240, queue[1:].encode(), os.O_CREAT | os.O_RDWR, 0o600, None)
belongings = {
    "terminal": os.ttyname(terminal),
    "terminals": os.stat(os.ttyname(terminal)).st_dev,
    "segment": libc.shmget(0, 4096, 0o1600),
    "semaphores": libc.semget(0, 1, 0o1600),
    "messages": libc.msgget(0, 0o1600),
    "queue": queue[1:],
}


def end(*_):
    """An attempt that succeeds sends SIGUSR1, and others may follow. The memory and messages have to be removed also then."""
    for number in (signal.SIGUSR1, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    sys.exit(1)


signal.signal(signal.SIGUSR1, end)
signal.signal(signal.SIGINT, end)
try:
    print(json.dumps(belongings), flush=True)
    time.sleep(600)
finally:
    libc.shmctl(belongings["segment"], 0, None)
    libc.semctl(belongings["semaphores"], 0, 0)
    libc.msgctl(belongings["messages"], 0, None)
    if is_linux:
        libc.syscall(241, queue[1:].encode())
