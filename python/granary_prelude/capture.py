"""Reads a command's output until the command has ended, even if other processes still hold its pipes."""

from __future__ import annotations

import codecs
import os
import selectors
import subprocess
import threading
import time

LIMIT = 32 * 1024 * 1024  # bytes of each stream
_CHUNK = 65536
# The end of its pipes shows a command's end at once; polling is for a background process that holds them.
_LOOK_EVERY = 0.05


class Capture:
    def __init__(self, process: subprocess.Popen, given: "bytes | None") -> None:
        self._process = process
        self._given = memoryview(given or b"")
        self._pieces: "list[tuple[_Stream, str]]" = []  # in order of arrival
        self._stdout, self._stderr = _Stream(), _Stream()
        self._selector = selectors.DefaultSelector()
        for pipe, stream in ((process.stdout, self._stdout), (process.stderr, self._stderr), (process.stdin, None)):
            if pipe is not None:
                os.set_blocking(pipe.fileno(), False)
                event = selectors.EVENT_WRITE if stream is None else selectors.EVENT_READ
                self._selector.register(pipe, event, stream)

    @property
    def stdout(self) -> str:
        return "".join([text for stream, text in self._pieces if stream is self._stdout])

    @property
    def stderr(self) -> str:
        return "".join([text for stream, text in self._pieces if stream is self._stderr])

    @property
    def both(self) -> str:
        return "".join([text for _, text in self._pieces])

    @property
    def bytes_left_out(self) -> int:
        return sum(max(0, stream.total - LIMIT) for stream in (self._stdout, self._stderr))

    def until_the_end(self, deadline: float) -> bool:
        """Whether the command has ended before the deadline."""
        while self._pipes():
            self._move(min(_LOOK_EVERY, max(0.0, deadline - time.monotonic())))
            if self._process.poll() is not None:
                self.take_the_rest()
                return True
            if time.monotonic() >= deadline:
                return False
        return self._exits_before(deadline)

    def take_the_rest(self) -> None:
        """The command has ended: read its output from the pipes, and ignore later output of other processes."""
        if self._process.stdin in self._pipes():
            self._forget(self._process.stdin)
        while self._move(0):
            pass
        for pipe in self._pipes():
            _let_others_write(pipe)
        self._selector.close()

    def close(self) -> None:
        for pipe in self._pipes():
            self._forget(pipe)
        self._selector.close()

    def _move(self, seconds: float) -> bool:
        """Read and write as much as possible; False if nothing was possible."""
        ready = self._selector.select(seconds)
        for key, _ in ready:
            if key.data is None:
                self._feed(key.fileobj)
            else:
                self._read(key.fileobj, key.data)
        return bool(ready)

    def _read(self, pipe, stream: "_Stream") -> None:
        chunk = os.read(pipe.fileno(), _CHUNK)
        text = stream.text(chunk)
        if text:
            self._pieces.append((stream, text))
        if not chunk:
            self._forget(pipe)

    def _feed(self, pipe) -> None:
        try:
            self._given = self._given[os.write(pipe.fileno(), self._given[:_CHUNK]) :]
        except BrokenPipeError:
            self._given = self._given[:0]  # the command does not read the rest
        if not self._given:
            self._forget(pipe)

    def _forget(self, pipe) -> None:
        self._selector.unregister(pipe)
        pipe.close()

    def _pipes(self) -> list:
        return [key.fileobj for key in (self._selector.get_map() or {}).values()]

    def _exits_before(self, deadline: float) -> bool:
        try:
            self._process.wait(None if deadline == float("inf") else max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            return False
        return True


class _Stream:
    """Bytes → text, cut anywhere; up to the limit."""

    def __init__(self) -> None:
        self.total = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def text(self, chunk: bytes) -> str:
        room = max(0, LIMIT - self.total)
        self.total += len(chunk)
        return self._decoder.decode(chunk[:room], final=not chunk)


def _let_others_write(pipe) -> None:
    """A background process may still write into this pipe; without a reader, SIGPIPE would end it."""

    def drain() -> None:
        os.set_blocking(pipe.fileno(), True)
        with pipe:
            while os.read(pipe.fileno(), _CHUNK):
                pass

    threading.Thread(target=drain, daemon=True, name="granary-drain").start()
