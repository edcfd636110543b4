"""Signals, memory, priorities, terminals and messages of other processes, by the calls that come to mind last."""

import array
import ctypes
import fcntl
import mmap
import os
import signal
import socket
import struct
import time

from trying import HOME, OUTSIDE, Denied, attempt, libc, syscall, world

VICTIM = world["victim"]


def in_child(function):
    """For attempts that may end their process."""
    child = os.fork()
    if child == 0:
        try:
            function()
            os._exit(0)
        except BaseException:
            os._exit(1)
    if os.waitpid(child, 0)[1] != 0:
        raise Denied("failed in a child")


# --- signals ---------------------------------------------------------------------------------------------------


@attempt
def signal_through_a_process_descriptor():
    syscall(424, syscall(434, VICTIM, 0), 0, None, 0)


@attempt
def signal_a_thread():
    syscall(200, VICTIM, 0)


@attempt
def signal_a_thread_of_a_group():
    syscall(234, VICTIM, VICTIM, 0)


@attempt
def queue_a_signal():
    syscall(129, VICTIM, signal.SIGUSR1, struct.pack("iii", signal.SIGUSR1, 0, -1) + bytes(116))


@attempt
def signal_the_group_of_another_process():
    os.killpg(VICTIM, 0)


@attempt
def let_a_pipe_signal_another_process():
    read, write = os.pipe()
    fcntl.fcntl(read, 10, signal.SIGUSR1)  # F_SETSIG
    fcntl.fcntl(read, fcntl.F_SETOWN, VICTIM)
    fcntl.fcntl(read, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
    os.write(write, b"x")
    time.sleep(0.2)
    if os.path.exists("/proc/%d/stat" % VICTIM) and " Z " not in open("/proc/%d/stat" % VICTIM).read():
        raise Denied("it lives")


@attempt
def let_a_timer_signal_another_process():
    timer = ctypes.c_int()
    syscall(222, 0, struct.pack("Piii", 0, signal.SIGUSR1, 4, VICTIM) + bytes(44), ctypes.byref(timer))


# --- memory ----------------------------------------------------------------------------------------------------


@attempt
def write_memory_with_a_system_call():
    here = struct.pack("PP", ctypes.addressof(ctypes.create_string_buffer(8)), 8)
    syscall(311, VICTIM, here, 1, here, 1, 0)


@attempt
def compare_resources_of_another_process():
    syscall(312, os.getpid(), VICTIM, 0, 0, 0)


@attempt
def move_pages_of_another_process():
    if os.getuid() != 0 and not os.path.exists("/proc/%d" % VICTIM):
        raise Denied("not there")
    syscall(279, VICTIM, 1, struct.pack("P", 0x1000), struct.pack("i", 0), ctypes.create_string_buffer(4), 2)


@attempt
def advise_on_the_memory_of_another_process():
    syscall(440, syscall(434, VICTIM, 0), struct.pack("PP", 0x1000, 4096), 1, 21, 0)


@attempt
def read_the_map_of_another_process():
    return open("/proc/%d/maps" % VICTIM).read(10)


@attempt
def read_secrets_of_another_process_in_its_folder():
    for name in ("auxv", "syscall", "io", "pagemap", "stack", "personality", "numa_maps", "smaps"):
        try:
            if open("/proc/%d/%s" % (VICTIM, name), "rb").read(8):
                return name
        except OSError:
            continue
    raise Denied("none")


@attempt
def reach_a_secret_through_a_thread_of_another_process():
    return open("/proc/%d/task/%d/root%s/.ssh/id_rsa" % (VICTIM, VICTIM, HOME)).read()


@attempt
def reach_a_secret_through_the_first_process():
    return open("/proc/1/root%s/.ssh/id_rsa" % HOME).read()


@attempt
def see_where_a_descriptor_of_another_process_leads():
    return os.readlink("/proc/%d/fd/1" % VICTIM)


@attempt
def write_settings_of_another_process():
    for name in ("oom_score_adj", "comm", "clear_refs", "coredump_filter", "timerslack_ns", "uid_map", "mem"):
        try:
            os.close(os.open("/proc/%d/%s" % (VICTIM, name), os.O_WRONLY))
            return name
        except OSError:
            continue
    raise Denied("none")


@attempt
def write_a_file_through_a_private_map_and_own_memory():
    with open(OUTSIDE + "/victim", "rb") as file:
        page = mmap.mmap(file.fileno(), 9, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE)
    page[0:1] = b"X"
    if open(OUTSIDE + "/victim").read(1) != "X":
        raise Denied("only a copy")


# --- messages and memory of System V and POSIX ----------------------------------------------------------------------


@attempt
def attach_memory_of_another_program():
    libc.shmat.restype = ctypes.c_long
    if libc.shmat(world["segment"], None, 0) == -1:
        raise OSError(ctypes.get_errno(), "shmat")


@attempt
def look_at_memory_of_another_program():
    if libc.shmctl(world["segment"], 2, ctypes.create_string_buffer(256)) == -1:
        raise OSError(ctypes.get_errno(), "shmctl")


@attempt
def change_a_semaphore_of_another_program():
    if libc.semop(world["semaphores"], struct.pack("Hhh", 0, 1, 0), 1) == -1:
        raise OSError(ctypes.get_errno(), "semop")


@attempt
def send_a_message_to_another_program():
    if libc.msgsnd(world["messages"], struct.pack("l1s", 1, b"x"), 1, 0o4000) == -1:
        raise OSError(ctypes.get_errno(), "msgsnd")


@attempt
def open_a_queue_of_another_program():
    queue = syscall(240, world["queue"].encode(), os.O_RDWR, 0, None)
    os.close(queue)


# --- terminals --------------------------------------------------------------------------------------------------


def require_that_terminal():
    if os.stat(world["terminal"]).st_dev != world["terminals"]:
        raise Denied("another terminal of that name")


@attempt
def write_to_the_terminal_of_another_program():
    require_that_terminal()
    os.write(os.open(world["terminal"], os.O_WRONLY | os.O_NOCTTY), b"escaped")


@attempt
def read_the_terminal_of_another_program():
    require_that_terminal()
    os.close(os.open(world["terminal"], os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK))


@attempt
def change_the_terminal_of_another_program():
    require_that_terminal()
    os.chmod(world["terminal"], 0o666)


@attempt
def open_a_terminal_by_its_other_side():
    return os.open("/proc/%d/fd/0" % world["parent"], os.O_RDWR | os.O_NOCTTY)


@attempt
def use_the_terminal_of_the_session():
    os.close(os.open("/dev/tty", os.O_RDWR))


# --- the network ------------------------------------------------------------------------------------------------


@attempt
def open_sockets_of_rare_families():
    for family in (3, 4, 5, 9, 15, 21, 24, 26, 29, 30, 31, 33, 35, 36, 37, 39, 41, 42, 43, 44):
        for kind in (1, 2, 3, 5):
            try:
                socket.socket(family, kind, 0).close()
                return family
            except OSError:
                continue
    raise Denied("none")


@attempt
def reach_this_machine_by_an_address_in_other_clothes():
    for address in ("::ffff:127.0.0.1", "::1", "0.0.0.0", "127.0.0.2", "localhost"):
        try:
            socket.create_connection((address, world["port"]), 1).close()
            return address
        except OSError:
            continue
    raise Denied("none")


@attempt
def reach_this_machine_by_its_own_address():
    socket.create_connection((world["address"], world["port"]), 1).close()


@attempt
def ask_the_network_for_other_protocols():
    server = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262)  # MPTCP
    server.settimeout(1)
    server.connect(("127.0.0.1", world["port"]))


@attempt
def read_connections_of_this_machine():
    wanted = ":%04X " % world["port"]
    if not any(wanted in line for line in open("/proc/net/tcp")):
        raise Denied("not listed")


@attempt
def send_to_the_log_of_audits():
    audit = socket.socket(16, socket.SOCK_RAW, 9)
    audit.send(struct.pack("IHHII", 16, 1000, 5, 1, 0))
    if struct.unpack("IHHIIi", audit.recv(1024)[:20])[5] != 0:
        raise Denied("not permitted")


@attempt
def pass_a_descriptor_of_a_secret_through_a_socket():
    near, far = socket.socketpair()
    secret = os.open(HOME + "/.ssh/id_rsa", os.O_PATH)
    near.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [secret]))])
    _, data, _, _ = far.recvmsg(1, socket.CMSG_SPACE(4))
    return os.read(array.array("i", data[0][2])[0], 1)


# --- the filter of system calls ---------------------------------------------------------------------------------------


@attempt
def use_the_32_bit_interface():
    if os.uname().machine != "x86_64":
        raise Denied("not tried on this architecture")
    code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(b"\x53\xb8\x14\x00\x00\x00\xcd\x80\x5b\xc3")  # getpid by int 0x80
    address = ctypes.addressof(ctypes.c_char.from_buffer(code))

    def ask():
        if ctypes.CFUNCTYPE(ctypes.c_int)(address)() <= 0:
            raise Denied("refused")

    in_child(ask)


@attempt
def make_a_namespace_with_the_newest_clone():
    syscall(435, struct.pack("QQQQQQQQ", 0x10000000, 0, 0, 0, signal.SIGCHLD, 0, 0, 0), 64)


@attempt
def hide_flags_of_clone_in_the_upper_half():
    child = syscall(56, ctypes.c_ulong(0x1_1000_0000 | signal.SIGCHLD), 0, 0, 0, 0)
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


@attempt
def leave_a_child_to_the_parent():
    child = syscall(56, 0x8000 | signal.SIGCHLD, 0, 0, 0, 0)
    if child == 0:
        os._exit(0)


@attempt
def type_with_flags_in_the_upper_half():
    leader, terminal = os.openpty()

    def steal():
        os.setsid()
        fcntl.ioctl(terminal, 0x540E, 0)
        syscall(16, terminal, ctypes.c_ulong(0x1_0000_5412), b"x")

    in_child(steal)


@attempt
def replace_the_filter():
    allow_all = struct.pack("HBBI", 6, 0, 0, 0x7FFF0000)
    buffer = ctypes.create_string_buffer(allow_all, 8)
    program = struct.pack("H6xP", 1, ctypes.addressof(buffer))
    if libc.prctl(22, 2, program, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "seccomp")
    syscall(272, 0x10000000)  # still refused?


@attempt
def lift_the_ban_on_new_privileges():
    if libc.prctl(38, 0, 0, 0, 0) != 0 or libc.prctl(39, 0, 0, 0, 0) == 1:
        raise Denied("it stays")


@attempt
def take_capabilities_back():
    if libc.capset(struct.pack("Ii", 0x20080522, 0), struct.pack("IIIIII", 0xFFFFFFFF, 0xFFFFFFFF, 0, 0x1FF, 0x1FF, 0)) != 0:
        raise OSError(ctypes.get_errno(), "capset")


@attempt
def use_ports_of_the_processor():
    syscall(172, 3)


@attempt
def adjust_the_clock():
    syscall(305, 0, struct.pack("I", 1) + bytes(204))


@attempt
def call_any_memory_the_variables():
    """Granary looks at the variables of processes. With an empty map, Linux would say EINVAL."""
    if libc.prctl(35, 14, None, 0, 0) != 0 and ctypes.get_errno() == 1:
        raise Denied("prctl")
