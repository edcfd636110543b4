"""A Python that started with more than it was given is no parent for kernels."""

import os
import subprocess
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ASK = "from granary_runner.forking import fitness; print(fitness.problem((0, 1, 2)), flush=True)"


@unittest.skipUnless(sys.platform == "linux", "asks /proc")
class TestFitness(unittest.TestCase):
    def test_descriptors_of_the_host_are_inherited(self):
        kept = os.open(os.devnull, os.O_RDONLY)
        self.addCleanup(os.close, kept)
        self.assertEqual(_ask(ASK, pass_fds=(kept,)), "None")

    def test_descriptors_that_python_opened_are_not(self):
        self.assertIn("opens a file or a connection", _ask("import socket; kept = socket.socketpair()\n" + ASK))

    def test_threads(self):
        start = "import threading, time; threading.Thread(target=time.sleep, args=(9,), daemon=True).start()\n"
        self.assertIn("starts a thread", _ask(start + ASK + "\nimport os; os._exit(0)"))

    def test_nothing_more_than_given(self):
        self.assertEqual(_ask(ASK), "None")


def _ask(code, **options):
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True, **options).stdout.strip()
