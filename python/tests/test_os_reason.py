"""The reason of the system behind an error, for the sentence about the sandbox."""

from __future__ import annotations

import errno
import os
import tempfile
import unittest

from granary_runner.hints.os_reason import fails_outside, reason


class TestReason(unittest.TestCase):
    def test_is_that_of_the_error_or_of_its_words(self) -> None:
        self.assertEqual(reason(OSError(errno.EXDEV, "", "a", None, "b")), (errno.EXDEV, ["a", "b"]))
        self.assertEqual(reason(OSError("Read-only file system (os error 30)")), (errno.EROFS, []))
        told = "IO Error: Cannot open file \"/a b/x.duckdb\": Read-only file system"
        self.assertEqual(reason(RuntimeError(told)), (errno.EROFS, ["/a b/x.duckdb"]))
        self.assertEqual(reason(FileNotFoundError("No such file or directory (os error 2): /a/b.csv")), (errno.ENOENT, ["/a/b.csv"]))
        self.assertEqual(reason(ValueError("/a/b is odd")), (None, []))

    def test_an_owner_or_mode_that_forbids_it_outside_is_no_matter_of_the_sandbox(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            names = {"closed": 0o700, "shared": 0o777}
            for name, mode in names.items():
                os.mkdir(os.path.join(folder, name))
                os.chmod(os.path.join(folder, name), mode)
            paths = [os.path.join(folder, name) for name in ("closed/x", "new", "shared/x")]
            found = as_another_user(lambda: [fails_outside(path) for path in paths])
            self.assertEqual(found, None if os.geteuid() != 0 else [True, True, False])


def as_another_user(ask) -> "list | None":
    """Only root can become one."""
    if os.geteuid() != 0:
        return None
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
        os.write(writing, bytes(ask()))
        os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with os.fdopen(reading, "rb") as file:
        return [bool(byte) for byte in file.read()]
