"""
Reads cases from standard input, each a length of four bytes and as many bytes, and gives them to the runner's own reader of
requests, in pieces of any size. Prints how many lines it took and refused. Every exception but a refusal ends the program.
"""

import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "python"))
from granary_runner.wire import frames, requests  # noqa: E402


class Pieces:
    """In place of `os` in the reader: a descriptor that delivers these bytes."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def read(self, _fd: int, most: int) -> bytes:
        size = random.randint(1, random.choice((3, 50, most)))
        piece, self.data = self.data[:size], self.data[size:]
        return piece


def main() -> None:
    counts = {"taken": 0, "refused": 0}
    frames.Lines.most = 2000
    while True:
        head = sys.stdin.buffer.read(4)
        if not head:
            break
        data = sys.stdin.buffer.read(int.from_bytes(head, "little"))
        random.seed(len(data))
        frames.os = Pieces(data)
        lines = frames.Lines(-1)
        while True:
            try:
                line = lines.next()
                if line is None:
                    break
                requests.decoded(line)
                counts["taken"] += 1
            except ValueError:
                counts["refused"] += 1
                if lines._length > lines.most:
                    break
    import resource

    counts["megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    sys.stdout.write(frames.dumps(counts))


main()
