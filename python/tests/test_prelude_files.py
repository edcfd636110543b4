"""read_file() and write_file()."""

from __future__ import annotations

import os
import random
import stat
import threading
import unittest

from granary_prelude import read_file, write_file

from tests.prelude_test import PreludeTest


class RoundTrips(PreludeTest):
    def test_what_is_read_and_written_back_leaves_the_file_as_it_was(self):
        alphabet = ["\n", "\r", "\r\n", "\ufeff", "\u2028", "\x0c", "\0", "ü", "😀", "a", " "]
        chance = random.Random(1)
        for _ in range(200):
            content = "".join(chance.choices(alphabet, k=chance.randrange(30))).encode()
            self.write("file", content)
            text = read_file("file")
            self.assertEqual(text.encode(), content)
            write_file("file", text)
            self.assertEqual(self.read("file"), content)
            lines = content.count(b"\n") + 1
            self.assertEqual("".join(read_file("file", (n, n)) for n in range(1, lines + 1)), text)


class Reading(PreludeTest):
    def test_lines_are_counted_from_one_and_both_ends_belong_to_them(self):
        self.write("file", "a\nb\r\nc\nd")
        self.assertEqual(read_file("file", (2, 3)), "b\r\nc\n")
        self.assertEqual(read_file("file", (3, None)), "c\nd")
        self.assertEqual(read_file("file", (9, 12)), "")
        self.assertEqual(self.told[0], {"op": "read", "path": f"{self.folder}/file", "bytes": 5, "lines": [2, 3]})

    def test_lines_that_make_no_sense_are_explained(self):
        self.write("file", "a\n")
        for lines in ((0, 1), (3, 2), 5, (1,), ("a", "b")):
            with self.subTest(lines), self.assertRaisesRegex(ValueError, r"lines is \(first, last\), counted from 1"):
                read_file("file", lines)

    def test_a_file_in_the_home_folder(self):
        self.write("notes", "hi")
        self.assertEqual(read_file("~/notes"), "hi")

    def test_what_is_no_text_is_explained_and_another_encoding_helps(self):
        self.write("file", b"\xfc")
        with self.assertRaisesRegex(ValueError, "file is not utf-8 text; name its encoding="):
            read_file("file")
        self.assertEqual(self.told, [])
        self.assertEqual(read_file("file", encoding="latin-1"), "ü")

    def test_a_missing_file_is_pythons_own_error(self):
        with self.assertRaises(FileNotFoundError):
            read_file("missing")


class Writing(PreludeTest):
    def test_a_new_file_in_new_folders_has_the_usual_permissions(self):
        write_file("a/b/file", "text\n")
        with open("usual", "w"):
            pass
        self.assertEqual(self.read("a/b/file"), b"text\n")
        self.assertEqual(os.stat("a/b/file").st_mode, os.stat("usual").st_mode)
        self.assertEqual(self.told, [{"op": "write", "path": f"{self.folder}/a/b/file", "bytes": 5, "created": True}])
        self.assertEqual(os.listdir("a/b"), ["file"])

    def test_bytes(self):
        write_file("file", bytearray(b"\xff\0"))
        self.assertEqual(self.read("file"), b"\xff\0")

    def test_an_existing_file_keeps_its_permissions_and_a_link_stays_one(self):
        self.write("real/file", "old")
        os.chmod("real/file", 0o751)
        os.symlink("real/file", "link")
        write_file("link", "new")
        self.assertTrue(os.path.islink("link"))
        self.assertEqual(self.read("real/file"), b"new")
        self.assertEqual(stat.S_IMODE(os.stat("real/file").st_mode), 0o751)
        self.assertFalse(self.told[0]["created"])

    @unittest.skipIf(os.geteuid() == 0, "root may write everything")
    def test_a_write_protected_file_stays_as_it_is(self):
        self.write("file", "old")
        os.chmod("file", 0o444)
        with self.assertRaises(PermissionError):
            write_file("file", "new")
        self.assertEqual(self.read("file"), b"old")

    def test_what_fails_leaves_the_old_content_and_no_other_file(self):
        self.write("file", "old")
        with self.assertRaises(UnicodeEncodeError):
            write_file("file", "\ud800")
        with self.assertRaises(IsADirectoryError):
            write_file(".", "new")
        with self.assertRaises(TypeError):
            write_file("file", 5)
        self.assertEqual((self.read("file"), os.listdir(".")), (b"old", ["file"]))

    def test_a_named_pipe_is_written_into_not_replaced(self):
        os.mkfifo("pipe")
        got: list = []
        reader = threading.Thread(target=lambda: got.append(self.read("pipe")))
        reader.start()
        write_file("pipe", "through")
        reader.join()
        self.assertEqual(got, [b"through"])
        self.assertTrue(stat.S_ISFIFO(os.stat("pipe").st_mode))


if __name__ == "__main__":
    unittest.main()
