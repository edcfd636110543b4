"""For tests of the prelude: an empty folder to work in, a HOME without a login profile, and the sent events."""

from __future__ import annotations

import builtins
import os
import tempfile
import unittest
from unittest.mock import patch

from granary_prelude import status


class PreludeTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.realpath(folder.name)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        self.displays: list = []  # (bundle, options)
        for change in (
            patch.dict(os.environ, {"HOME": self.folder}),
            patch.object(builtins, "display", self._display, create=True),
        ):
            change.start()
            self.addCleanup(change.stop)
        os.environ.pop("PI_SHELL_SNAPSHOT", None)

    def _display(self, bundle: dict, raw: bool, **options: object) -> None:
        self.assertTrue(raw)
        self.displays.append((bundle, options))

    @property
    def told(self) -> list:
        return [bundle[status.MIME] for bundle, _ in self.displays]

    def write(self, name: str, content: "str | bytes" = "") -> str:
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
        return path

    def read(self, name: str) -> bytes:
        with open(os.path.join(self.folder, name), "rb") as file:
            return file.read()
