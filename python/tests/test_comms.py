"""Comms: the hooks of the package `comm`, and the kernel's manager."""

from __future__ import annotations

import unittest

from .recorded_cell import RecordedCell
from .test_patches import needs

# Frames are recorded instead of sent.
STAGE = """
import sys, json
from granary_runner.wire import emit
emit.INLINE, emit.cell_id, sent = 1_000_000, 3, []
emit.send = sent.append
"""


class Comms(unittest.TestCase):
    def assertPrints(self, source, expected, **options):
        cell = RecordedCell(STAGE + source, **options)
        self.assertEqual((cell.stdout, cell.stderr), (expected, ""))

    def test_a_module_of_the_user_s_with_the_same_name_stays_as_it_is(self):
        self.assertPrints("""
from pathlib import Path
Path("comm.py").write_text("def create_comm(): return 'mine'")
import comm
print(comm.create_comm(), sorted(vars(comm).keys() - vars(sys).keys() - {"__builtins__", "__cached__", "__file__"}))
from granary_runner.comms.delivery import deliver, listing
deliver({"type": "comm_open", "content": {"comm_id": "a", "target_name": "t", "data": {}}}, {})
print(sent[0]["type"], listing())
""", "mine ['create_comm']\ncomm_close {}\n", site_packages=False)

    def test_without_the_package_the_kernel_keeps_targets_and_messages_for_comms_have_no_effect(self):
        self.assertPrints("""
from granary_runner.ipython_shell import get_ipython
manager = get_ipython().kernel.comm_manager
manager.register_target("t", print)
from granary_runner.comms.delivery import deliver
deliver({"type": "comm_msg", "content": {"comm_id": "a", "data": {}}}, {})
print(list(manager.targets), manager is get_ipython().kernel.comm_manager, sent)
""", "['t'] True []\n", site_packages=False)

    def test_values_that_json_cannot_carry_are_replaced_and_buffers_have_any_shape(self):
        self.assertPrints("""
from granary_runner.comms.publishing import publish
publish("comm_msg", {"comm_id": "a", "data": {"n": float("nan"), "s": {1}}}, None, [memoryview(b"abcd").cast("B", (2, 2)), bytearray(b"e")])
frame = sent[0]
print(json.dumps(frame["content"]["data"]).count("NaN"), frame["buffers"], frame["id"], frame["metadata"])
""", "0 ['YWJjZA==', 'ZQ=='] 3 {}\n", site_packages=False)

    @needs("comm")
    def test_the_hooks_lead_here_also_after_an_import_of_ipykernel(self):
        self.assertPrints("""
import comm
from granary_runner.ipython_shell import get_ipython
first = comm.create_comm("t", {"a": 1}, comm_id="x", buffers=[b"y"])
try:
    import ipykernel.ipkernel
except ImportError:
    pass
second = comm.create_comm("t", comm_id="z")
second.send({"b": 2})
second.close()
print([(frame["type"], frame["content"]["comm_id"]) for frame in sent])
print(list(comm.get_comm_manager().comms), get_ipython().kernel.comm_manager is comm.get_comm_manager(), type(first) is type(second))
""", "[('comm_open', 'x'), ('comm_open', 'z'), ('comm_msg', 'z'), ('comm_close', 'z')]\n['x'] True True\n")


if __name__ == "__main__":
    unittest.main()
