"""The process that forks kernels reports how they ended, also when the signal of their end came at the wrong moment."""

from __future__ import annotations

import json
import os
import signal
import socket
import unittest

from granary_runner.forking.parent import Parent


def serve_without_handler(ours: socket.socket, theirs: socket.socket) -> None:
    """A parent to which the signal never gets through, as one right before Python waits for a request."""
    ours.close()
    signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGCHLD,))
    Parent(theirs.fileno()).serve()
    os._exit(7)  # a forked child


@unittest.skipUnless(hasattr(os, "fork"), "there is no fork here")
class ForkingParent(unittest.TestCase):
    def test_a_request_to_reap_reports_children_whose_signal_was_not_noticed(self):
        ours, theirs = socket.socketpair()
        pid = os.fork()
        if pid == 0:
            serve_without_handler(ours, theirs)
        theirs.close()
        with ours:
            ours.sendall(b'{"op":"fork","fork":1,"path":"/nowhere","word":"w"}\n')
            forked = json.loads(ours.recv(4096))
            self.assertEqual((forked["t"], forked["fork"]), ("forked", 1))
            ours.settimeout(0.05)
            answer = b""
            while not answer.endswith(b"\n"):
                ours.sendall(b'{"op":"reap"}\n')  # the child may not have ended at the first
                try:
                    answer += ours.recv(4096)
                except socket.timeout:
                    pass
        self.assertEqual(json.loads(answer), {"t": "ended", "pid": forked["pid"], "code": 7, "signal": None})
        os.waitpid(pid, 0)
