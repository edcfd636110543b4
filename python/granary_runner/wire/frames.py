"""JSON lines on private descriptors.

The `json` package imports `re` and costs a quarter of a kernel's start; the C functions behind it do not. If an
interpreter lacks them, the runner uses `json`.
"""

from __future__ import annotations

import os


def _not_json(value: object) -> object:
    return str(value)


class _Scanning:
    """The options for `_json.make_scanner`."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
    memo: dict = {}


def _c_codec():
    import _json

    scan = _json.make_scanner(_Scanning())
    encode = _json.make_encoder(None, _not_json, _json.encode_basestring_ascii, None, ":", ",", False, False, False)

    def dumps(value: object) -> str:
        return "".join(encode(value, 0))

    def loads(text: str) -> object:
        try:
            value, end = scan(text, 0)
        except StopIteration:
            raise ValueError("there is no value") from None
        except SystemError:  # CPython finds its own exception for this only if the `json` package is imported
            raise ValueError("it ends too early, or has an unknown character") from None
        if end != len(text) and not text[end:].isspace():
            raise ValueError("there is more than one value")
        return value

    probe = {"a": [1, 2.5, "é\n", None, True], "b": {}}
    if loads(dumps(probe)) != probe or loads(_json.encode_basestring_ascii("é\n")) != "é\n":
        raise ImportError("_json behaves in an unknown way")
    return dumps, loads, _json.encode_basestring_ascii


def _package_codec():
    import json

    def dumps(value: object) -> str:
        return json.dumps(value, allow_nan=False, default=_not_json, separators=(",", ":"))

    return dumps, json.loads, dumps


try:
    dumps, loads, quoted = _c_codec()
except Exception:  # PyPy has no _json; a future CPython may change it
    dumps, loads, quoted = _package_codec()


def write_all(fd: int, data: bytes) -> None:
    """Write everything, even if a child process made the shared pipe non-blocking."""
    while True:
        try:
            written = os.write(fd, data)
        except BlockingIOError:
            import select

            select.select([], [fd], [])
            continue
        if written == len(data):
            return
        data = memoryview(data)[written:]


class Lines:
    """The lines that arrive on a descriptor. One reader only. Raises ValueError for a line that is longer than `most` bytes."""

    most = 1 << 29  # the host's strings are shorter

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self._ready: list = []  # in reverse order
        self._partial: list = []
        self._length = 0  # of the partial line

    def waiting(self) -> bool:
        """Whether a whole line is available."""
        return bool(self._ready)

    def next(self) -> "bytes | None":
        """The next line, or None at the end of file."""
        while not self._ready:
            data = os.read(self.fd, 65536)
            if not data:
                return None
            end = data.find(b"\n")
            if end == len(data) - 1 and not self._partial:
                return data  # one line, as nearly always; JSON allows its line end
            if end == -1:
                self._partial.append(data)
                self._length += len(data)
                if self._length > self.most:
                    raise ValueError("a line has more than %d bytes" % self.most)
                continue
            lines = (b"".join(self._partial) + data).split(b"\n")
            rest = lines.pop()
            self._partial = [rest] if rest else []
            self._length = len(rest)
            lines.reverse()
            self._ready = lines
        return self._ready.pop()
