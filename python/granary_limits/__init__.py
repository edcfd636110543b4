"""Limits of a process and everything it starts, which nothing takes back: mounts, Landlock, seccomp.

This runs in front of every Python in such a sandbox, and each import counts: `_ctypes` without `ctypes`, `posix` without `os`.
"""
