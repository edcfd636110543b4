"""Results that are only text have a line of their own making: it says what JSON would say."""

import json
import random
import unittest

from granary_runner.wire import emit, frames


class PlainResultsTest(unittest.TestCase):
    def frame(self, text):
        return {"t": "result", "id": 7, "data": {"text/plain": text}, "metadata": {}, "count": 3}

    def test_whatever_characters_a_text_has(self):
        chosen = random.Random(15)
        alphabet = [chr(code) for code in range(0x100)] + ['"', "\\", "\u2028", "\ud800", "\udfff", "\U0001f600", "%", "%d"]
        for _ in range(500):
            text = "".join(chosen.choices(alphabet, k=chosen.randrange(20)))
            line = emit._line(self.frame(text))
            self.assertEqual(json.loads(line), self.frame(text))
            self.assertEqual(line, frames.dumps(self.frame(text)))
            self.assertTrue(line.isascii())
            self.assertNotIn("\n", line)

    def test_other_frames_are_as_json_has_them(self):
        for change in (
            {"after": 2},
            {"line": "[1, 2]"},
            {"metadata": {"text/plain": {"a": 1}}},
            {"data": {"text/plain": "1", "text/html": "<b>1</b>"}},
            {"data": {"text/html": "<b>1</b>"}},
            {"data": {"text/plain": {"not": "text"}}},
        ):
            frame = {**self.frame("1"), **change}
            self.assertEqual(json.loads(emit._line(frame)), frame)


if __name__ == "__main__":
    unittest.main()
