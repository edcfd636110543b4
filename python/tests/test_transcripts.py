"""The conversations in protocol/transcripts, held with a real runner and without the TypeScript host."""

import itertools
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RUNNER = ROOT / "python" / "granary_runner" / "__main__.py"
TRANSCRIPTS = sorted((ROOT / "protocol" / "transcripts").glob("*.ndjson"))
PATIENCE = 20.0
PAUSES = (0.001, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1)  # those of src/kernel/runner/interrupter.ts


class Runner:
    """A runner process, and everything it has said so far, channel by channel."""

    def __init__(self):
        self._ours = {}
        theirs = {}
        for fd, name in ((3, "frames"), (4, "control"), (5, "interrupts"), (6, "lifeline")):
            self._ours[name], theirs[fd] = socket.socketpair()
        out, out_write = os.pipe()
        err, err_write = os.pipe()

        def place():  # first away from the numbers that are wanted, then onto them
            high = {fd: os.dup2(end.fileno(), 40 + fd, inheritable=False) for fd, end in theirs.items()}
            for fd, end in high.items():
                os.dup2(end, fd)

        self.process = subprocess.Popen(
            [sys.executable, str(RUNNER)],
            stdin=subprocess.DEVNULL,
            stdout=out_write,
            stderr=err_write,
            start_new_session=True,
            close_fds=False,
            preexec_fn=place,
        )
        for end in theirs.values():
            end.close()
        os.close(out_write)
        os.close(err_write)
        self._selector = selectors.DefaultSelector()
        self._received = {}
        sources = {"stdout": out, "stderr": err, **{name: end.fileno() for name, end in self._ours.items()}}
        for name, fd in sources.items():
            self._selector.register(fd, selectors.EVENT_READ, name)
            self._received[name] = b""
        self._pipes = (out, err)

    def send(self, channel, line):
        self._ours[channel].sendall(line.encode() + b"\n")

    def interrupt(self, cell):
        self.send("interrupts", cell)
        os.kill(self.process.pid, signal.SIGINT)

    def read_until(self, is_enough):
        """Read all channels until the caller has what it waits for."""
        give_up_at = time.monotonic() + PATIENCE
        while not is_enough():
            if time.monotonic() > give_up_at:
                raise AssertionError("waited in vain; received so far: %r" % self._received)
            for key, _ in self._selector.select(0.5):
                data = os.read(key.fd, 65536)
                if data:
                    self._received[key.data] += data
                else:
                    self._selector.unregister(key.fd)

    def lines(self, channel):
        return self._received[channel].decode("ascii").split("\n")[:-1]

    def frames(self, channel="frames"):
        return [json.loads(line) for line in self.lines(channel)]

    def pieces(self, stream, mark):
        """The content of a pipe: text, and marks as tuples of their two numbers."""
        prefix = b"\0" + mark.encode()
        first, *rest = self._received[stream].split(prefix)
        result = [first.decode()]
        for part in rest:
            if len(part) < 16:
                break  # the rest of the mark is still to come
            result += [(int(part[:8], 16), int(part[8:16], 16)), part[16:].decode()]
        return [piece for piece in result if piece != ""]

    def close(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self._selector.close()
        for end in self._ours.values():
            end.close()
        for fd in self._pipes:
            os.close(fd)


class Conversation:
    """Says the host's part of a transcript, and writes down the order in which the runner's part happened."""

    def __init__(self, runner, transcript):
        self._runner = runner
        self._transcript = transcript
        self._expected = {"frames": 0, "control": 0, "interrupts": 0, "stdout": "", "stderr": ""}

    def hold(self):
        for step in self._transcript:
            (who, what), *_ = step.items()
            if who.startswith("host"):
                self._wait()
            if who == "host":
                self._runner.send("frames", json.dumps(what))
            elif who == "host control":
                self._runner.send("control", json.dumps(what))
            elif who == "host interrupts":
                self._interrupt(what)
            elif who == "runner":
                self._expected["frames"] += 1
            elif who in ("runner control", "runner interrupts"):
                self._expected[who.split()[1]] += 1
            elif who in ("stdout", "stderr"):
                self._expected[who] += what
        self._wait()

    def _interrupt(self, cell):
        """Send again while the runner says that its own code was in the way, as a host does: soon, but not at once. What was
        in the way may be the handler itself, and each signal that hits it lies on its stack."""
        for pause in itertools.chain(PAUSES, itertools.repeat(PAUSES[-1])):
            before = len(self._runner.lines("interrupts"))
            self._runner.interrupt(cell)
            self._runner.read_until(lambda: len(self._runner.lines("interrupts")) > before)
            if not self._runner.lines("interrupts")[-1].startswith("p"):
                return
            time.sleep(pause)

    def _wait(self):
        self._runner.read_until(self._has_all)

    def _has_all(self):
        runner, expected = self._runner, self._expected
        answers = [line for line in runner.lines("interrupts") if not line.startswith("p")]
        if len(answers) < expected["interrupts"] or len(runner.lines("control")) < expected["control"]:
            return False
        told = self.order()
        if len([what for who, what in told if who == "runner"]) < expected["frames"]:
            return False
        text = {name: "".join(what for who, what in told if who == name) for name in ("stdout", "stderr")}
        return all(len(text[name]) >= len(expected[name]) for name in text)

    def order(self):
        """Frames and printed text as the host puts them in order: "Order: marks" in the README."""
        if not self._runner.lines("frames"):
            return []
        hello, *frames = self._runner.frames()
        lanes = {name: self._runner.pieces(name, hello["mark"]) for name in ("stdout", "stderr")}
        reached = {"stdout": 0, "stderr": 0}
        stops = {"stdout": None, "stderr": None}
        told = [("runner", hello)]
        handed_on = 0
        moved = True
        while moved:
            moved = False
            while frames and frames[0].get("after", 0) <= min(reached.values()):
                told.append(("runner", frames.pop(0)))
                handed_on += 1
                moved = True
            for name, lane in lanes.items():
                other = "stderr" if name == "stdout" else "stdout"
                if stops[name] is not None:
                    number, frames_before = stops[name]
                    if reached[other] < number or handed_on < frames_before:
                        continue
                    stops[name] = None
                while lane and stops[name] is None:
                    piece = lane.pop(0)
                    moved = True
                    if isinstance(piece, str):
                        told.append((name, piece))
                    else:
                        stops[name] = piece
                        reached[name] = piece[0]
        return _joined(told)


def _joined(told):
    """Neighbouring text of one stream as one piece."""
    result = []
    for who, what in told:
        if result and result[-1][0] == who and isinstance(what, str):
            result[-1] = (who, result[-1][1] + what)
        else:
            result.append((who, what))
    return result


class TranscriptsTest(unittest.TestCase):
    def test_there_are_transcripts(self):
        self.assertGreater(len(TRANSCRIPTS), 3)

    def check(self, path):
        transcript = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        runner = Runner()
        try:
            conversation = Conversation(runner, transcript)
            conversation.hold()
            expected = [(who, what) for step in transcript for who, what in step.items()]
            by_runner = [one for one in expected if one[0] in ("runner", "stdout", "stderr")]
            self.assertLike(conversation.order(), _joined(by_runner))
            self.assertLike(runner.frames("control"), [what for who, what in expected if who == "runner control"])
            answers = [line for line in runner.lines("interrupts") if not line.startswith("p")]
            self.assertEqual(answers, [what for who, what in expected if who == "runner interrupts"])
            if any(what == {"op": "shutdown"} for _, what in expected):
                self.assertEqual(runner.process.wait(PATIENCE), 0)
        finally:
            runner.close()

    def assertLike(self, actual, expected):
        self.assertEqual(_with_wildcards(actual, expected), expected)


def _with_wildcards(actual, expected):
    """The actual value, with "*" wherever the transcript allows anything; where marks stand is the runner's affair."""
    if expected == "*":
        return "*"
    if isinstance(actual, dict) and isinstance(expected, dict):
        result = {key: _with_wildcards(value, expected.get(key)) for key, value in actual.items()}
        result.pop("after", None)
        return {**result, "after": expected["after"]} if "after" in expected else result
    if isinstance(actual, (list, tuple)) and isinstance(expected, (list, tuple)) and len(actual) == len(expected):
        return type(expected)(_with_wildcards(one, other) for one, other in zip(actual, expected))
    return actual


for _path in TRANSCRIPTS:
    _name = "test_" + _path.stem.replace("-", "_")
    setattr(TranscriptsTest, _name, lambda self, path=_path: self.check(path))


if __name__ == "__main__":
    unittest.main()
