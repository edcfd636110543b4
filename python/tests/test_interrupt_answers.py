"""How the SIGINT handler tells the host that it has reacted."""

import os
import signal
import socket
import struct
import sys
import tempfile
import unittest

from granary_runner.cells import interrupt


class Answers(unittest.TestCase):
    def setUp(self):
        before = signal.getsignal(signal.SIGINT)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        self.addCleanup(setattr, sys, "unraisablehook", sys.unraisablehook)
        self.host, ours = socket.socketpair()
        for end in (self.host, ours):
            self.addCleanup(end.close)
        self.host.setblocking(False)
        interrupt.install(ours.fileno())
        self.addCleanup(setattr, interrupt, "journal", -1)
        self.addCleanup(interrupt.after_fork)

    def interrupt_cell(self, cell):
        interrupt.begin(cell)
        with self.assertRaises(KeyboardInterrupt):
            self.host.send(b"%d 1\n" % cell)
            os.kill(os.getpid(), signal.SIGINT)
            while True:
                pass
        interrupt.end()

    def said(self):
        try:
            return self.host.recv(100)
        except BlockingIOError:
            return b""

    def open_journal(self):
        journal = tempfile.TemporaryFile()
        self.addCleanup(journal.close)
        interrupt.journal = journal.fileno()
        return lambda: struct.unpack("<II", os.pread(journal.fileno(), 8, 8))

    def test_a_delivered_interrupt_is_in_the_journal_and_wakes_nobody(self):
        delivered = self.open_journal()
        self.interrupt_cell(1)
        self.assertEqual(self.said(), b"")
        self.assertEqual(delivered(), (1, 1))

    def test_a_repeated_signal_after_the_end_is_answered(self):
        self.open_journal()
        self.interrupt_cell(1)
        self.host.send(b"1 1\n")
        os.kill(os.getpid(), signal.SIGINT)
        self.assertEqual(self.said(), b"x 1 1\n")

    def test_a_host_that_repeats_a_pending_one_gets_an_answer(self):
        self.open_journal()
        interrupt.guard("ours.py")
        self.addCleanup(interrupt._guarded.discard, "ours.py")
        ours = compile("kill(getpid(), 2)\nfor _ in range(1000): pass", "ours.py", "exec")
        interrupt.begin(3)
        self.host.send(b"3 1\n")
        exec(ours, {"kill": os.kill, "getpid": os.getpid})
        self.assertEqual(self.said(), b"p 3 1\n")
        with self.assertRaises(KeyboardInterrupt):
            self.host.send(b"3 1\n")
            os.kill(os.getpid(), signal.SIGINT)
        interrupt.end()
        self.assertEqual(self.said(), b"d 3 1\n")

    def test_without_a_journal_it_is_an_answer(self):
        self.interrupt_cell(1)
        self.assertEqual(self.said(), b"d 1 1\n")

    def test_one_that_python_ignored_is_out_of_the_journal_again(self):
        delivered = self.open_journal()

        class Stubborn:
            def __del__(self):
                os.kill(os.getpid(), signal.SIGINT)
                for _ in range(1000):
                    pass

        interrupt.begin(2)
        self.host.send(b"2 1\n")
        stubborn = Stubborn()
        del stubborn
        interrupt.end()
        self.assertEqual(self.said(), b"r 2 1\n")
        self.assertEqual(delivered(), (0, 0))


if __name__ == "__main__":
    unittest.main()
