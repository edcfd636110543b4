"""Another user of the machine: lists what it can read, write or connect to below some folders, and where it can make files."""

import os
import socket
import sys


def can(attempt, *args):
    try:
        attempt(*args)
        return True
    except OSError:
        return False


def opened(path, mode):
    os.close(os.open(path, mode | os.O_NONBLOCK))


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
