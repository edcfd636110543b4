"""Requests of the host are checked whole before any part of them has an effect."""

import os
import tempfile
import unittest

from granary_runner.forking import child
from granary_runner.wire import frames, requests

DAMAGED = [
    (b"", "it is no JSON: there is no value"),
    (b"{", "it is no JSON"),
    (b"\xff", "it is no JSON"),
    (b"[" * 100_000, "it is no JSON"),
    (b'{"op":"flush"}{"op":"flush"}', "it is no JSON: there is more than one value"),
    (b"5", "it is no object with an `op`"),
    (b'{"op":5}', "it is no object with an `op`"),
    (b'{"op":"execute","code":"1"}', "it has no `id`"),
    (b'{"op":"execute","id":1,"code":5}', "`code` is of the wrong type"),
    (b'{"op":"execute","id":true,"code":"1"}', "`id` is of the wrong type"),
    (b'{"op":"execute","id":-1,"code":"1"}', "`id` is out of range"),
    (b'{"op":"execute","id":99999999999999999999,"code":"1"}', "`id` is out of range"),
    (b'{"op":"execute","id":1,"code":"1","env":{"A":1}}', "`env` has a member of the wrong type"),
    (b'{"op":"execute","id":1,"code":"1","checkpoint":{"checkpoint":1}}', "`path` is of the wrong type"),
    (b'{"op":"execute","id":1,"code":"","bootstrap":{"cwd":"/","env":{},"helpers":1,"host":null}}', "`helpers` is of the wrong type"),
    (b'{"op":"execute","id":1,"code":"","bootstrap":{"cwd":"/","env":{"A":1},"helpers":true,"host":null}}', "`env` has a member"),
    (b'{"op":"execute","id":1,"code":"","bootstrap":{"cwd":"/","env":{},"helpers":true,"host":[1]}}', "`host` has a member"),
    (b'{"op":"fork","fork":1,"path":"a\\u0000","word":"w"}', "`path` has a zero byte"),
    (b'{"op":"preload","modules":[1],"seconds":1,"megabytes":1}', "`modules` has a member of the wrong type"),
    (b'{"op":"unknown"}', "it has no `id`"),
]


class Requests(unittest.TestCase):
    def test_damaged_ones_are_refused_with_a_reason(self):
        for line, why in DAMAGED:
            with self.subTest(line[:60]), self.assertRaises(ValueError) as caught:
                requests.decoded(line)
            self.assertIn(why, str(caught.exception))

    def test_what_a_newer_host_knows_is_let_through(self):
        self.assertEqual(requests.decoded(b'{"op":"new","id":1,"more":[1]}\n')["more"], [1])

    def test_only_the_expected_operations_and_fields_are_taken(self):
        with self.assertRaisesRegex(ValueError, "'retire' is not what is expected here"):
            requests.decoded(b'{"op":"retire"}', "preload")
        with self.assertRaisesRegex(ValueError, "it has no `alone`"):
            requests.decoded(b'{"op":"become-kernel","cwd":"/","env":{}}', "become-kernel", needs=("alone",))

    def test_a_line_without_an_end_is_not_kept(self):
        read, write = os.pipe()
        self.addCleanup(os.close, read)
        lines = frames.Lines(read)
        lines.most = 1000
        os.write(write, b"x" * 1001)
        os.close(write)
        with self.assertRaisesRegex(ValueError, "a line has more than 1000 bytes"):
            lines.next()

    def test_the_rest_of_a_line_counts_only_for_its_own_line(self):
        read, write = os.pipe()
        self.addCleanup(os.close, read)
        lines = frames.Lines(read)
        lines.most = 10
        os.write(write, b"12345678\n" * 5)
        os.close(write)
        self.assertEqual([lines.next() for _ in range(6)], [b"12345678"] * 5 + [None])


class ForkedChild(unittest.TestCase):
    def test_a_path_that_is_no_socket_is_not_removed(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "of-the-user")
            with open(path, "w") as file:
                file.write("kept")
            child._remove(path)
            self.assertTrue(os.path.exists(path))


if __name__ == "__main__":
    unittest.main()
