"""Files by unusual calls, protected names by renames and links, devices, and descriptors that were left open."""

import ctypes
import fcntl
import os
import struct

from trying import HOME, OUTSIDE, PROJECT, Denied, attempt, inherited, libc, run, syscall, world, write

CONFIG = PROJECT + "/.git/config"
VICTIM = OUTSIDE + "/victim"


# --- files outside --------------------------------------------------------------------------------------------------


@attempt
def open_with_the_newest_call():
    syscall(437, -100, VICTIM.encode(), struct.pack("QQQ", os.O_WRONLY, 0, 0), 24)


@attempt
def make_a_file_without_a_name_outside():
    os.close(os.open(OUTSIDE, os.O_TMPFILE | os.O_RDWR, 0o600))


@attempt
def link_an_open_file_into_the_project():
    file = os.open(VICTIM, os.O_RDONLY)
    if libc.linkat(-100, b"/proc/self/fd/%d" % file, -100, (PROJECT + "/linked").encode(), 0x400) != 0:
        raise OSError(ctypes.get_errno(), "linkat")
    write(PROJECT + "/linked")


@attempt
def copy_into_a_file_that_is_open_for_reading():
    write(PROJECT + "/source")
    source, target = os.open(PROJECT + "/source", os.O_RDONLY), os.open(VICTIM, os.O_RDONLY)
    syscall(326, source, None, target, None, 7, 0)


@attempt
def punch_a_hole_into_a_file_that_is_open_for_reading():
    syscall(285, os.open(VICTIM, os.O_RDONLY), 3, 0, 4)


@attempt
def change_flags_of_a_file_outside():
    file = os.open(VICTIM, os.O_RDONLY)
    fcntl.ioctl(file, 0x40086602, struct.pack("l", 0x40))  # FS_IOC_SETFLAGS, nodump
    fcntl.ioctl(file, 0x40086602, struct.pack("l", 0))


@attempt
def change_the_mode_through_a_descriptor():
    os.fchmod(os.open(VICTIM, os.O_RDONLY), 0o644)


@attempt
def change_the_times_through_a_descriptor():
    os.utime(os.open(VICTIM, os.O_RDONLY), (1, 1))


@attempt
def set_an_attribute_through_a_descriptor():
    os.setxattr(os.open(VICTIM, os.O_RDONLY), "user.escaped", b"1")


@attempt
def write_outside_from_a_program_in_memory():
    memory = os.memfd_create("program", 0)
    os.write(memory, b'#!/bin/sh\necho escaped > "%s/by-memory"\n' % OUTSIDE.encode())
    run("sh", "/proc/%d/fd/%d" % (os.getpid(), memory))


@attempt
def rename_the_working_folder():
    os.rename(PROJECT, PROJECT + "-moved")
    os.rename(PROJECT + "-moved", PROJECT)


@attempt
def put_a_link_in_place_of_a_folder_outside():
    os.symlink(HOME, OUTSIDE + "/new-link")


@attempt
def make_a_socket_outside():
    import socket

    socket.socket(socket.AF_UNIX).bind(OUTSIDE + "/new-socket")


@attempt
def make_a_pipe_outside():
    os.mkfifo(OUTSIDE + "/new-pipe")


@attempt
def find_an_open_folder_outside():
    for target in inherited:
        is_own = target.startswith((PROJECT, "/proc", "/dev", "/tmp", "/usr", "pipe:", "socket:", "anon_inode:", "/memfd:"))
        if not is_own and target != "/":
            return target
    raise Denied("none")


# --- secrets --------------------------------------------------------------------------------------------------------


@attempt
def read_a_secret_without_following_links():
    file = syscall(437, -100, (HOME + "/.ssh/id_rsa").encode(), struct.pack("QQQ", 0, 0, 4), 24)
    return os.read(file, 1)


@attempt
def read_a_secret_relative_to_its_folder():
    folder = os.open(HOME + "/.ssh", os.O_PATH | os.O_DIRECTORY)
    return os.read(os.open("id_rsa", os.O_RDONLY, dir_fd=folder), 1)


@attempt
def read_a_secret_from_its_folder_as_working_folder():
    folder = os.getcwd()
    try:
        os.chdir(HOME + "/.ssh")
        return open("id_rsa").read()
    finally:
        os.chdir(folder)


@attempt
def read_a_secret_with_a_program():
    return run("cat", HOME + "/.aws/credentials")


@attempt
def read_a_secret_through_the_environment_that_python_is_said_to_be_in():
    return open(world["claimed"] + "/secret").read()


@attempt
def execute_a_secret():
    run("sh", "-c", "test -s $0 && . $0", HOME + "/.aws/credentials")


@attempt
def reach_keys_of_the_display():
    if not open(HOME + "/.Xauthority").read():
        raise Denied("empty")


# --- protected names -----------------------------------------------------------------------------------------------


@attempt
def put_a_file_over_the_git_configuration():
    write(PROJECT + "/new-config")
    os.replace(PROJECT + "/new-config", CONFIG)


@attempt
def exchange_the_git_configuration():
    write(PROJECT + "/new-config")
    syscall(316, -100, (PROJECT + "/new-config").encode(), -100, CONFIG.encode(), 2)


@attempt
def exchange_the_git_folder():
    os.makedirs(PROJECT + "/other-git", exist_ok=True)
    syscall(316, -100, (PROJECT + "/other-git").encode(), -100, (PROJECT + "/.git").encode(), 2)


@attempt
def remove_the_git_configuration():
    os.unlink(CONFIG)


@attempt
def link_the_git_configuration_and_write_it():
    os.link(CONFIG, PROJECT + "/config-link")
    write(PROJECT + "/config-link")


@attempt
def truncate_the_git_configuration():
    os.truncate(CONFIG, 0)


@attempt
def change_the_mode_of_the_git_configuration():
    os.chmod(CONFIG, 0o777)


@attempt
def lead_a_worktree_to_another_repository():
    write(PROJECT + "/.git/worktrees/other/commondir", PROJECT + "/evil")


@attempt
def change_hooks_in_the_working_tree():
    write(PROJECT + "/scripts/hooks/pre-commit")


@attempt
def replace_the_folder_above_hooks_in_the_working_tree():
    os.rename(PROJECT + "/scripts", PROJECT + "/old-scripts")


@attempt
def change_a_git_configuration_in_the_working_tree():
    write(PROJECT + "/scripts/gitconfig", "[core]\n\tfsmonitor = evil\n")


@attempt
def change_the_settings_of_an_editor():
    write(PROJECT + "/.idea/workspace.xml")


@attempt
def change_the_servers_of_an_agent():
    write(PROJECT + "/.cursor/mcp.json")


@attempt
def change_the_variables_of_direnv():
    os.unlink(PROJECT + "/.envrc")


@attempt
def change_a_submodule():
    write(PROJECT + "/.git/modules/sub/config")


# --- devices --------------------------------------------------------------------------------------------------------


@attempt
def open_devices():
    harmless = ("null", "zero", "full", "random", "urandom", "tty", "ptmx", "pts", "fd", "shm", "stdin", "stdout", "stderr", "console")
    for name in sorted(os.listdir("/dev")):
        path = "/dev/" + name
        if name in harmless or name.startswith("watchdog") or os.path.isdir(path):
            continue
        try:
            os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY))
            return path
        except OSError:
            continue
    raise Denied("none")


@attempt
def open_devices_by_number():
    for number in (1, 2, 4, 11):  # mem, kmem, port, kmsg
        path = PROJECT + "/device-%d" % number
        try:
            os.mknod(path, 0o600 | 0o020000, os.makedev(1, number))
            os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
            return path
        except OSError:
            continue
    raise Denied("none")


@attempt
def open_settings_of_the_machine_for_writing():
    places = (
        "/proc/sys/vm/drop_caches",
        "/proc/sys/kernel/modprobe",
        "/proc/sys/fs/binfmt_misc/register",
        "/sys/kernel/uevent_helper",
        "/sys/power/state",
        "/sys/kernel/mm/transparent_hugepage/enabled",
        "/proc/irq/default_smp_affinity",
    )
    for path in places:
        try:
            os.close(os.open(path, os.O_WRONLY))
            return path
        except OSError:
            continue
    raise Denied("none")


@attempt
def read_the_memory_of_the_kernel():
    return open("/proc/kcore", "rb").read(1)


@attempt
def follow_the_log_of_the_kernel():
    return os.read(os.open("/dev/kmsg", os.O_RDONLY | os.O_NONBLOCK), 1)


@attempt
def change_mounts_with_the_newest_call():
    syscall(442, -100, b"/", 0x8000, struct.pack("QQQQ", 0, 1, 0, 0), 32)


@attempt
def pick_a_mount_to_change():
    syscall(433, -100, b"/", 0)


@attempt
def load_a_module():
    syscall(313, os.open(PROJECT + "/sub/file", os.O_RDONLY), b"", 0)
