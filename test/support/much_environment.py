"""Calls that many bytes of its memory its variables, which needs no rights on Linux, and waits. Argument: how many."""

import ctypes
import mmap
import struct
import sys
import time

PR_SET_MM, PR_SET_MM_MAP = 35, 14

size = int(sys.argv[1])
memory = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
# By the numbers of proc(5).
stat = [0, 0, 0, *open("/proc/self/stat").read().rpartition(")")[2].split()]
libc = ctypes.CDLL(None)
libc.sbrk.restype = ctypes.c_void_p
places = [int(each) for each in [*stat[26:28], *stat[45:48], libc.sbrk(0), stat[28], *stat[48:50]]]
given = struct.pack("12QIi", *places, start, start + size, 0, 0, -1)
if libc.prctl(PR_SET_MM, PR_SET_MM_MAP, given, len(given), 0) != 0:
    sys.exit("the system does not allow it")
print("ready", flush=True)
time.sleep(600)
