"""Attempts that succeed: each has its row in docs/sandbox-limits.md."""

import fcntl
import os

from trying import OUTSIDE, PROJECT, Denied, attempt, world, write


@attempt
def hold_a_lock_on_a_file_outside():
    with open(OUTSIDE + "/victim") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@attempt
def lead_git_to_another_repository():
    write(PROJECT + "/.git/commondir", "../evil\n")
    os.unlink(PROJECT + "/.git/commondir")


@attempt
def make_a_repository_in_a_folder_below():
    os.makedirs(PROJECT + "/below/.git", exist_ok=True)
    write(PROJECT + "/below/.git/config")


@attempt
def write_a_file_with_another_name_outside():
    with open(PROJECT + "/shared-with-a-cache", "a") as file:
        file.write("escaped")


@attempt
def read_connections_of_this_machine_from_its_first_process():
    if not any(":%04X " % world["port"] in line for line in open("/proc/1/net/tcp")):
        raise Denied("not listed")


@attempt
def slow_another_process_down():
    os.setpriority(os.PRIO_PROCESS, world["victim"], 19)


@attempt
def choose_the_processor_of_another_process():
    os.sched_setaffinity(world["victim"], os.sched_getaffinity(0))
