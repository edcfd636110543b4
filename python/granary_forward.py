"""Starts a program that reaches a proxy outside of its network: python -I -S granary_forward.py SOCKET KIND PROGRAM ARGUMENTS.

A sandbox has a network of its own, and programs know only proxies with a port. This process listens on a port of loopback and
passes every connection on to the proxy's unix socket. It ends as the program ends. KIND is `hosts`, or `index` for an installer of
packages: the proxy then opens the hosts of the package index while this process lives.
"""

import _thread
import os
import signal
import socket
import sys
import time

_BLOCK = 65536


def main() -> None:
    path, kind, program = sys.argv[1], sys.argv[2], sys.argv[3:]
    try:
        server = socket.socket()
        server.bind(("127.0.0.1", 0))
        server.listen(64)
        held = _open_index(path) if kind == "index" else None
    except OSError as problem:
        sys.exit(
            "granary: this sandbox has no way to its proxy (%s), so that it reaches neither hosts nor the package index. "
            "With python.sandboxNetwork: on, it shares the network of this machine." % problem
        )
    child = os.fork()
    if child == 0:
        # The index may be on loopback outside.
        _become(program, server.getsockname()[1], "" if held else "localhost,127.0.0.1,::1")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, lambda given, _: _pass_on(child, given))
    _let_go({server.fileno()} | ({held.fileno()} if held else set()))
    _thread.start_new_thread(_serve, (server, path))
    _end_as(os.waitpid(child, 0)[1])


def _become(program: "list[str]", port: int, direct: str) -> None:
    address = "http://127.0.0.1:%d" % port
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        os.environ[name] = os.environ[name.upper()] = address
    os.environ["PIP_PROXY"] = address  # pip's configuration may name another, which comes before those variables
    os.environ["no_proxy"] = os.environ["NO_PROXY"] = direct
    try:
        os.execvp(program[0], program)
    except OSError as problem:
        os.write(2, ("granary: %s could not be started in the sandbox: %s\n" % (program[0], problem)).encode())
        os._exit(127)


def _open_index(path: str) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    connection.sendall(b"GET /granary/index HTTP/1.1\r\nHost: granary\r\n\r\n")
    if not connection.recv(_BLOCK).startswith(b"HTTP/1.1 200"):
        raise OSError("the proxy refused")
    return connection


def _let_go(kept: set) -> None:
    """The program's streams must end when the program ends, not when this process does."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(nothing, number)
    for name in os.listdir("/proc/self/fd"):
        if int(name) > 2 and int(name) not in kept:
            try:
                os.close(int(name))
            except OSError:
                pass  # that of the listing itself


def _serve(server: socket.socket, path: str) -> None:
    while True:
        try:
            _pass_through(server.accept()[0], path)
        except (OSError, RuntimeError):
            time.sleep(0.05)  # no descriptors or threads are left, until other connections end


def _pass_through(inside: socket.socket, path: str) -> None:
    outside = socket.socket(socket.AF_UNIX)
    try:
        outside.connect(path)
        _thread.start_new_thread(_copy, (inside, outside))
        _thread.start_new_thread(_copy, (outside, inside))
    except BaseException:
        _shut(inside, socket.SHUT_RDWR)  # for a copy that has begun
        raise


def _copy(source: socket.socket, target: socket.socket) -> None:
    try:
        while True:
            block = source.recv(_BLOCK)
            if not block:
                break
            target.sendall(block)
    except OSError:
        pass
    _shut(source, socket.SHUT_RD)
    _shut(target, socket.SHUT_WR)


def _shut(connection: socket.socket, how: int) -> None:
    try:
        connection.shutdown(how)
    except OSError:
        pass  # the other side has ended


def _pass_on(child: int, number: int) -> None:
    try:
        os.kill(child, number)
    except OSError:
        pass


def _end_as(status: int) -> None:
    if not os.WIFSIGNALED(status):
        os._exit(os.WEXITSTATUS(status))
    number = os.WTERMSIG(status)
    if number != signal.SIGKILL:
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    os._exit(128 + number)


main()
