"""A warm interpreter that was a kernel for a moment is as it was before: its kernels find nothing of that moment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# In a process of its own, as a warm interpreter prepares itself.
PROGRAM = """
import builtins, faulthandler, json, os, signal, sys
sys.path.insert(0, {root!r})
from granary_runner import boot, prelude
from granary_runner.cells import execute, main_module
from granary_runner.forking import child, rehearsal
from granary_runner.wire import forks, marks, streams

def look():
    listed = os.listdir("/proc/self/fd")
    return dict(
        variables=dict(os.environ), folder=os.getcwd(), path=sys.path, descriptors=len(listed),
        files=[os.readlink("/proc/self/fd/%d" % fd) for fd in (0, 1, 2)],
        names=sorted(execute.namespace()), inputs=execute.inputs, outputs=execute.outputs, count=execute.count(),
        sources=main_module.sources, file=execute.current_file(), crashes=faulthandler.is_enabled(),
        modules=sorted(name for name in sys.modules if not name.startswith("granary_")),
        group=os.getpgrp(), threads=len(os.listdir("/proc/self/task")), private=forks.private(),
    )

os.environ["GRANARY_REHEARSAL"] = "of the user"
boot.prepare()
prelude.load()
child.get_ready()
os.setsid()
before = look()
{change}
rehearsal.run()
print(json.dumps([before, look(), streams._pipes is not None, [marks.out, marks.err]]))
"""


FILLING = """
import sys
sys.path.insert(0, %r)
from granary_runner.forking import gaps
gaps.fill()
last = {sys.getsizeof(one): id(one) // gaps._POOL for one in gaps._fillers}
new = [bytes(size - sys.getsizeof(b"")) for size in gaps._SIZES]
print([int(id(one) // gaps._POOL == last[sys.getsizeof(one)]) for one in new])
"""


def rehearsed(change: str = "") -> list:
    program = PROGRAM.format(root=ROOT, change=change)
    done = subprocess.run([sys.executable, "-I", "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    if done.stderr:
        raise AssertionError(done.stderr.decode())
    return json.loads(done.stdout.decode())


@unittest.skipUnless(sys.platform == "linux", "only Linux rehearses")
class Rehearsal(unittest.TestCase):
    maxDiff = None

    def test_leaves_the_process_as_it_was_and_its_streams_ready(self):
        before, after, has_streams, pipes = rehearsed()
        self.assertEqual(after, before)
        self.assertTrue(has_streams)
        self.assertEqual(pipes, [-1, -1])

    def test_one_that_fails_leaves_the_process_as_it_was(self):
        for place in ("rehearsal._accept", "execute.cell", "boot._open_streams", "streams.attach"):
            with self.subTest(place):
                before, after, _, _ = rehearsed("def fail(*_): raise OSError('no')\n%s = fail" % place)
                self.assertEqual(after, before)


@unittest.skipUnless(sys.implementation.name == "cpython", "about CPython's memory")
class Gaps(unittest.TestCase):
    def test_the_next_objects_are_beside_the_last_fillers(self):
        printed = subprocess.run([sys.executable, "-I", "-c", FILLING % ROOT], stdout=subprocess.PIPE, timeout=60).stdout
        beside = json.loads(printed.decode())
        self.assertGreater(sum(beside), 0.7 * len(beside))  # other objects have been freed meanwhile


if __name__ == "__main__":
    unittest.main()
