"""Writes, secrets, other processes, sockets and the system: the ways that come to mind first."""

import ctypes
import fcntl
import mmap
import os
import shutil
import signal
import socket
import struct
import sys
import threading
import time

from trying import HOME, OUTSIDE, PROJECT, Denied, attempt, libc, run, syscall, touch, world, write

# --- writes ---------------------------------------------------------------------------------------------------


@attempt
def write_a_new_file_outside():
    write(OUTSIDE + "/new")


@attempt
def overwrite_a_file_outside():
    write(OUTSIDE + "/victim")


@attempt
def append_to_a_file_outside():
    with open(OUTSIDE + "/victim", "a") as file:
        file.write("escaped")


@attempt
def truncate_a_file_outside():
    os.truncate(OUTSIDE + "/victim", 0)


@attempt
def open_for_update_and_truncate():
    with open(OUTSIDE + "/victim", "r+") as file:
        file.truncate(0)


@attempt
def map_a_file_outside_for_writing():
    with open(OUTSIDE + "/victim", "r+b") as file:
        mmap.mmap(file.fileno(), 0)[0:1] = b"X"


@attempt
def delete_a_file_outside():
    os.unlink(OUTSIDE + "/victim")


@attempt
def delete_a_folder_outside():
    shutil.rmtree(OUTSIDE)


@attempt
def make_a_folder_outside():
    os.mkdir(OUTSIDE + "/made")


@attempt
def rename_a_file_out_of_the_project():
    write(PROJECT + "/to-rename")
    os.rename(PROJECT + "/to-rename", OUTSIDE + "/renamed")


@attempt
def rename_a_file_into_the_project():
    os.rename(OUTSIDE + "/victim", PROJECT + "/taken")


@attempt
def exchange_with_a_file_outside():
    write(PROJECT + "/exchange")
    syscall(316, -100, (PROJECT + "/exchange").encode(), -100, (OUTSIDE + "/victim").encode(), 2)


@attempt
def hard_link_a_file_outside_and_write_it():
    os.link(OUTSIDE + "/victim", PROJECT + "/hard")
    write(PROJECT + "/hard")


@attempt
def hard_link_a_secret_and_read_it():
    os.link(HOME + "/.ssh/id_rsa", PROJECT + "/key")
    return open(PROJECT + "/key").read()


@attempt
def write_through_a_symbolic_link():
    os.symlink(OUTSIDE + "/victim", PROJECT + "/link")
    write(PROJECT + "/link")


@attempt
def write_through_a_link_to_a_folder():
    os.symlink(OUTSIDE, PROJECT + "/folder-link")
    write(PROJECT + "/folder-link/new")


@attempt
def write_through_dots():
    write(PROJECT + "/../" + os.path.basename(OUTSIDE) + "/dots")


@attempt
def write_through_a_descriptor_of_a_folder():
    folder = os.open(OUTSIDE, os.O_RDONLY | os.O_DIRECTORY)
    os.close(os.open("at", os.O_CREAT | os.O_WRONLY, dir_fd=folder))


@attempt
def reopen_a_readable_file_for_writing():
    file = os.open(OUTSIDE + "/victim", os.O_RDONLY)
    os.write(os.open("/proc/self/fd/%d" % file, os.O_WRONLY), b"escaped")


@attempt
def a_child_writes_outside():
    run("sh", "-c", 'echo escaped > "$0"', OUTSIDE + "/child")


@attempt
def a_grandchild_in_a_session_of_its_own_writes_outside():
    run("setsid", "sh", "-c", 'sh -c "echo escaped > $0/grandchild"', OUTSIDE)


@attempt
def copy_with_a_system_program():
    run("cp", "/bin/sh", OUTSIDE + "/copied")


@attempt
def make_a_device():
    os.mknod(PROJECT + "/disk", 0o600 | 0o060000, os.makedev(8, 0))
    open(PROJECT + "/disk", "rb").read(1)


@attempt
def change_the_mode_of_a_file_outside():
    os.chmod(OUTSIDE + "/victim", 0o777)
    if oct(os.stat(OUTSIDE + "/victim").st_mode)[-3:] != "777":
        raise Denied("unchanged")


@attempt
def change_the_time_of_a_file_outside():
    os.utime(OUTSIDE + "/victim", (1, 1))


@attempt
def change_the_owner_of_a_file_outside():
    os.chown(OUTSIDE + "/victim", 12345, -1)


@attempt
def set_an_attribute_of_a_file_outside():
    os.setxattr(OUTSIDE + "/victim", "user.escaped", b"1")


# --- persistence: code that runs later, outside --------------------------------------------------------------------


@attempt
def write_a_shell_start_file():
    write(HOME + "/.bashrc")


@attempt
def write_a_shell_start_file_in_the_project():
    write(PROJECT + "/.bashrc")


@attempt
def write_a_git_hook():
    write(PROJECT + "/.git/hooks/post-checkout")


@attempt
def change_the_git_configuration():
    write(PROJECT + "/.git/config", "[core]\n\tfsmonitor = evil\n")


@attempt
def replace_the_git_folder():
    os.rename(PROJECT + "/.git", PROJECT + "/.git-old")


@attempt
def replace_the_hooks_folder():
    os.rename(PROJECT + "/.git/hooks", PROJECT + "/.git/old-hooks")


@attempt
def delete_the_hooks_folder():
    os.unlink(PROJECT + "/.git/hooks/sample")


@attempt
def add_a_module_of_granary():
    write(PROJECT + "/.granary/modules/evil.py")


@attempt
def replace_the_folder_of_granary():
    os.rename(PROJECT + "/.granary", PROJECT + "/.granary-old")


@attempt
def change_an_activation_script():
    write(PROJECT + "/.venv/bin/activate")


@attempt
def replace_the_folder_of_activation_scripts():
    os.rename(PROJECT + "/.venv/bin", PROJECT + "/.venv/old")


@attempt
def preload_a_library_for_others():
    touch("/etc/ld.so.preload")


@attempt
def add_a_scheduled_job():
    touch("/etc/cron.d/escaped")


@attempt
def change_the_hosts_file():
    touch("/etc/hosts")


@attempt
def poison_the_interpreter():
    touch(os.path.dirname(os.__file__) + "/escaped.py")


@attempt
def write_into_the_shared_temporary_folder():
    touch(world["tmp"] + "/escaped")
    if not os.path.exists(world["tmp"] + "/" + os.path.basename(world["tmpFile"])):
        raise Denied("a private folder of that name")


@attempt
def write_into_the_temporary_folder_of_the_machine():
    write("/tmp/granary-escaped-%d" % os.getpid())
    os.unlink("/tmp/granary-escaped-%d" % os.getpid())
    if not os.path.exists(world["tmpFile"]):
        raise Denied("a private /tmp")


@attempt
def read_the_shared_memory_of_another_program():
    return open(world["sharedMemory"]).read()


@attempt
def write_the_shared_memory_of_another_program():
    with open(world["sharedMemory"], "r+") as file:
        file.write("e")


@attempt
def remove_the_shared_memory_of_another_program():
    os.rename(world["sharedMemory"], world["sharedMemory"] + "-taken")
    os.rename(world["sharedMemory"] + "-taken", world["sharedMemory"])


# --- secrets ---------------------------------------------------------------------------------------------------


@attempt
def read_a_private_key():
    return open(HOME + "/.ssh/id_rsa").read()


@attempt
def read_cloud_credentials():
    return open(HOME + "/.aws/credentials").read()


@attempt
def read_a_secret_through_a_link():
    os.symlink(HOME + "/.ssh/id_rsa", PROJECT + "/key-link")
    return open(PROJECT + "/key-link").read()


@attempt
def read_a_secret_through_a_path_descriptor():
    secret = os.open(HOME + "/.ssh/id_rsa", os.O_PATH)
    return open("/proc/self/fd/%d" % secret).read()


@attempt
def read_tokens_of_granary():
    return open(world["granary"] + "/token").read()


@attempt
def read_a_secret_through_the_root_of_another_process():
    return open("/proc/%d/root%s/.ssh/id_rsa" % (world["victim"], HOME)).read()


@attempt
def read_a_secret_through_the_folder_of_another_process():
    return open("/proc/%d/cwd/.ssh/id_rsa" % world["victim"]).read()


@attempt
def write_through_the_root_of_another_process():
    write("/proc/%d/root%s/escaped" % (world["victim"], OUTSIDE))


@attempt
def read_the_environment_of_another_process():
    return open("/proc/%d/environ" % world["victim"], "rb").read().index(b"SECRET")


@attempt
def read_the_environment_of_the_parent():
    return open("/proc/%d/environ" % world["parent"], "rb").read()[:1]


@attempt
def read_the_memory_of_another_process():
    return open("/proc/%d/mem" % world["victim"], "rb").read(1)


@attempt
def open_a_descriptor_of_another_process():
    return os.open("/proc/%d/fd/0" % world["victim"], os.O_RDONLY)


@attempt
def read_the_passwords_of_the_machine():
    if not open("/etc/shadow").read():
        raise Denied("empty")


@attempt
def open_the_emergency_keys_of_the_kernel():
    os.close(os.open("/proc/sysrq-trigger", os.O_WRONLY))  # writes nothing


@attempt
def read_with_a_file_handle():
    handle = ctypes.create_string_buffer(struct.pack("Ii", 128, 0) + bytes(128))
    mount = ctypes.c_int()
    syscall(303, -100, (HOME + "/.ssh/id_rsa").encode(), handle, ctypes.byref(mount), 0)
    root = os.open("/", os.O_RDONLY)
    return os.read(syscall(304, root, handle, os.O_RDONLY), 10)


# --- other processes --------------------------------------------------------------------------------------------


@attempt
def signal_another_process():
    os.kill(world["victim"], signal.SIGUSR1)


@attempt
def signal_the_parent():
    os.kill(world["parent"], 0)


@attempt
def signal_every_process():
    if os.path.exists("/proc/%d" % world["victim"]):
        raise Denied("would hit processes of this sandbox; see the attempt before")
    raise Denied("others are not there")


@attempt
def trace_another_process():
    syscall(101, 16, world["victim"], 0, 0)


@attempt
def read_memory_with_a_system_call():
    buffer = ctypes.create_string_buffer(8)
    local = struct.pack("PP", ctypes.addressof(buffer), 8)
    syscall(310, world["victim"], local, 1, local, 1, 0)


@attempt
def take_a_descriptor_of_another_process():
    process = syscall(434, world["victim"], 0)
    syscall(438, process, 0, 0)


@attempt
def raise_the_priority():
    os.nice(-10)


@attempt
def change_limits_of_another_process():
    syscall(302, world["victim"], 7, struct.pack("QQ", 64, 64), None)


# --- sockets ----------------------------------------------------------------------------------------------------


@attempt
def connect_to_a_unix_socket_by_path():
    socket.socket(socket.AF_UNIX).connect(world["socket"])


@attempt
def send_a_datagram_to_a_unix_socket_by_path():
    socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b"escaped", world["datagrams"])


@attempt
def connect_to_a_unix_socket_in_the_run_folder():
    socket.socket(socket.AF_UNIX).connect(world["runSocket"])


@attempt
def connect_to_an_abstract_socket():
    socket.socket(socket.AF_UNIX).connect("\0" + world["abstract"])


@attempt
def talk_to_docker():
    socket.socket(socket.AF_UNIX).connect("/var/run/docker.sock")


@attempt
def talk_to_the_session_bus():
    socket.socket(socket.AF_UNIX).connect("/run/user/%d/bus" % os.getuid())


@attempt
def talk_to_the_system_bus():
    socket.socket(socket.AF_UNIX).connect("/run/dbus/system_bus_socket")


@attempt
def use_the_ssh_agent():
    socket.socket(socket.AF_UNIX).connect(os.environ.get("SSH_AUTH_SOCK") or world["socket"])


@attempt
def connect_to_a_server_on_this_machine():
    socket.create_connection(("127.0.0.1", world["port"]), 2)


@attempt
def connect_to_the_internet():
    socket.create_connection(("1.1.1.1", 80), 2)


@attempt
def connect_over_ipv6():
    socket.create_connection(("2606:4700:4700::1111", 80), 2)


@attempt
def send_a_datagram():
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("1.1.1.1", 53))


@attempt
def resolve_a_name():
    return socket.getaddrinfo("example.com", 80)


@attempt
def reach_the_metadata_service():
    socket.create_connection(("169.254.169.254", 80), 2)


@attempt
def open_a_raw_socket():
    socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)


@attempt
def open_a_packet_socket():
    socket.socket(17, socket.SOCK_RAW, 0)


@attempt
def open_a_virtual_machine_socket():
    socket.socket(40, socket.SOCK_STREAM)


@attempt
def open_a_cryptography_socket():
    socket.socket(38, 5, 0)


@attempt
def listen_for_others():
    server = socket.socket(socket.AF_INET)
    server.bind(("0.0.0.0", 0))
    if world["ownNetwork"]:
        raise Denied("in a network of its own")


@attempt
def bring_up_a_device_of_the_network():
    control = socket.socket(16, socket.SOCK_RAW, 0)
    control.send(struct.pack("IHHII", 32, 16, 5, 1, 0) + struct.pack("BxHiII", 0, 0, 1, 1, 1))
    if struct.unpack("IHHIIi", control.recv(1024)[:20])[5] != 0:
        raise Denied("not permitted")


# --- the system -------------------------------------------------------------------------------------------------


@attempt
def gain_rights_with_setuid():
    if os.getuid() == 0:
        os.setuid(12345)
        raise Denied("root has nothing to gain")
    run("su", "-c", "true", "root")


@attempt
def have_capabilities():
    line = [line for line in open("/proc/self/status") if line.startswith("CapEff")][0]
    if int(line.split()[1], 16) == 0:
        raise Denied("none")
    return line


@attempt
def mount_a_file_system():
    place = (PROJECT + "/sub").encode()
    if libc.mount(b"none", place, b"tmpfs", 0, None) != 0:
        raise OSError(ctypes.get_errno(), "mount")
    libc.umount2(place, 2)


@attempt
def remount_the_root_for_writing():
    if libc.mount(None, b"/", None, 32 | 4096, None) != 0:
        raise OSError(ctypes.get_errno(), "mount")


@attempt
def unmount_what_hides_a_secret():
    if libc.umount2((HOME + "/.ssh").encode(), 2) != 0:
        raise OSError(ctypes.get_errno(), "umount")


@attempt
def move_mounts_with_the_new_calls():
    syscall(428, -100, b"/", 1)


@attempt
def make_a_user_namespace():
    syscall(272, 0x10000000)


@attempt
def make_a_user_namespace_with_clone():
    child = syscall(56, 0x10000000 | signal.SIGCHLD, 0, 0, 0, 0)
    if child == 0:
        os._exit(0)


@attempt
def make_namespaces_with_a_program():
    run("unshare", "-Urm", "true")


@attempt
def enter_the_namespace_of_another_process():
    syscall(308, os.open("/proc/%d/ns/mnt" % world["victim"], os.O_RDONLY), 0)


@attempt
def change_the_root():
    os.chroot(PROJECT)


@attempt
def leave_by_changing_the_root():
    os.mkdir(PROJECT + "/jail")
    libc.pivot_root(b".", b".") == 0 or (_ for _ in ()).throw(OSError(ctypes.get_errno(), "pivot_root"))


@attempt
def read_the_keyring():
    syscall(250, 0, -3, 1)


@attempt
def add_a_key():
    syscall(248, b"user", b"granary-escape", b"x", 1, -3)


@attempt
def load_a_program_into_the_kernel():
    syscall(321, 0, bytes(128), 128)


@attempt
def use_the_asynchronous_interface():
    syscall(425, 4, ctypes.create_string_buffer(256))


@attempt
def handle_page_faults_of_the_kernel():
    syscall(323, 1)


@attempt
def measure_other_programs():
    syscall(298, struct.pack("II", 1, 128) + bytes(120), world["victim"], -1, -1, 0)


@attempt
def read_the_log_of_the_kernel():
    syscall(103, 3, ctypes.create_string_buffer(100), 100)


@attempt
def set_the_clock():
    syscall(227, 0, struct.pack("qq", int(time.time()), 0))


@attempt
def change_the_name_of_the_machine():
    name = os.uname().nodename.encode()
    syscall(170, name, len(name))
    if world["ownName"]:
        raise Denied("a name of its own")


@attempt
def type_into_the_terminal():
    leader, terminal = os.openpty()
    child = os.fork()
    if child == 0:
        try:
            os.setsid()
            fcntl.ioctl(terminal, 0x540E, 0)
            fcntl.ioctl(terminal, 0x5412, b"x")
            os._exit(0)
        except OSError:
            os._exit(1)
    if os.waitpid(child, 0)[1] != 0:
        raise Denied("TIOCSTI is refused")


@attempt
def write_a_setting_of_the_kernel():
    with open("/proc/sys/kernel/core_pattern") as file:
        text = file.read()
    write("/proc/sys/kernel/core_pattern", text)


@attempt
def write_to_a_control_group():
    touch("/sys/fs/cgroup/cgroup.procs")


@attempt
def read_a_disk():
    names = [name for name in os.listdir("/dev") if name.startswith(("sd", "vd", "nvme"))]
    return open("/dev/" + (names or ["sda"])[0], "rb").read(1)


@attempt
def read_the_memory_of_the_machine():
    return open("/dev/mem", "rb").read(1)


@attempt
def use_a_system_call_of_another_architecture():
    syscall(0x40000000 + 39)


@attempt
def trace_after_executing_another_program():
    run(sys.executable, "-c", "import ctypes,sys; sys.exit(0 if ctypes.CDLL(None).ptrace(16, %d, 0, 0) == 0 else 1)" % world["victim"])


@attempt
def keep_the_limits_out_of_a_thread():
    results = []

    def outside():
        try:
            write(OUTSIDE + "/thread")
            results.append("escaped")
        except OSError:
            pass

    thread = threading.Thread(target=outside)
    thread.start()
    thread.join()
    if not results:
        raise Denied("the same limits")


@attempt
def preload_a_library_into_a_setuid_program():
    os.environ["LD_PRELOAD"] = PROJECT + "/evil.so"
    try:
        run("su", "-c", "true", "root")
    finally:
        del os.environ["LD_PRELOAD"]
