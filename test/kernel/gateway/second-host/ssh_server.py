"""The least of an SSH server: `ssh_server.py ADDRESS PORT USER PASSWORD HOST_KEY_FILE`. Runs commands; ends with its stdin."""

import logging
import os
import socket
import subprocess
import sys
import threading

import paramiko

logging.getLogger("paramiko").setLevel(logging.CRITICAL)

address, port, user, password, host_key_file = sys.argv[1:]
host_key = paramiko.RSAKey.generate(2048)
with open(host_key_file, "w") as file:
    file.write(f"[{address}]:{port} {host_key.get_name()} {host_key.get_base64()}\n")


class Door(paramiko.ServerInterface):
    def check_auth_password(self, username, given):
        return paramiko.AUTH_SUCCESSFUL if (username, given) == (user, password) else paramiko.AUTH_FAILED

    def check_channel_request(self, kind, chanid):
        return paramiko.OPEN_SUCCEEDED

    def check_channel_exec_request(self, channel, command):
        threading.Thread(target=execute, args=(channel, command.decode()), daemon=True).start()
        return True


def execute(channel, command):
    # Its own session, so that its group can be signalled and its background processes continue.
    done = subprocess.run(["sh", "-c", command], capture_output=True, stdin=subprocess.DEVNULL, start_new_session=True)
    channel.sendall(done.stdout)
    channel.sendall_stderr(done.stderr)
    channel.send_exit_status(done.returncode)
    channel.close()


def serve():
    listener = socket.create_server((address, int(port)))
    print("ready", flush=True)
    while True:
        connection, _ = listener.accept()
        transport = paramiko.Transport(connection)
        transport.add_server_key(host_key)
        transport.start_server(server=Door(), event=threading.Event())


threading.Thread(target=serve, daemon=True).start()
sys.stdin.read()
os._exit(0)
