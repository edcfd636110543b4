"""Calls to the host over loopback HTTP, for kernels whose own wire does not carry them. Each has its own thread."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from urllib.parse import urlsplit

from . import bridge


def begin(name: str, arguments: dict, take):
    on_main_thread = threading.current_thread() is threading.main_thread()
    exchange = _Exchange({"name": name, "args": arguments, "main": on_main_thread}, take)
    threading.Thread(target=exchange.run, daemon=True, name="granary-tool-call").start()
    return exchange.cancel


class _Exchange:
    def __init__(self, call: dict, take) -> None:
        self._url, session = bridge.address()
        self._body = json.dumps({**call, "session": session}).encode()
        self._take = take
        self._connection = http.client.HTTPConnection(urlsplit(self._url).netloc)  # and never through a proxy
        self._lock = threading.Lock()
        self._is_cancelled = False

    def run(self) -> None:
        try:
            reply = self._reply()
        except Exception as problem:
            reply = {"error": {"code": "unreachable", "message": self._unreachable(problem)}}
        finally:
            self._connection.close()
        if not self._is_cancelled:
            self._take(reply)

    def cancel(self) -> None:
        """The host notices that the connection is gone."""
        with self._lock:
            self._is_cancelled = True
            connected = self._connection.sock
            if connected is not None:
                try:
                    connected.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass  # it has already ended

    def _reply(self) -> dict:
        self._connection.connect()
        with self._lock:
            if self._is_cancelled:
                raise ConnectionAbortedError("called off")
        headers = {"Authorization": "Bearer " + bridge.token(), "Content-Type": "application/json"}
        path = urlsplit(self._url).path.rstrip("/") + "/call"
        self._connection.request("POST", path, self._body, {**headers, "Connection": "close"})
        self._body = b""
        return json.loads(self._connection.getresponse().read())

    def _unreachable(self, problem: Exception) -> str:
        return f"The host at {self._url} did not answer ({type(problem).__name__}: {problem}). It may have ended."
