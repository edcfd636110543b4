import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { barOf, sayBar } from "../../src/output/progress-bar.ts";
import { openBars } from "../../src/output/progress-bars.ts";

const drawn = (text: string) => openBars([], text);

describe("a bar that tqdm or rich has drawn", () => {
  test.each([
    [" 45%|████▌     | 45/100 [00:04<00:05, 10.00it/s]", "45 of 100, 10/s, 5 s left"],
    ["train:  45%|████▌     | 45/100 [00:04<00:05, 10.00it/s, loss=0.3]", "train: 45 of 100, 10/s, 5 s left"],
    ["epoch 1: step:   1%|▏  | 1/100 [00:02<03:18,  2.00s/it]", "epoch 1: step: 1 of 100, 2 s each, 3 min left"],
    ["  0%|          | 0/100 [00:00<?, ?it/s]", "0 of 100"],
    ["45it [00:04, 10.00it/s]", "45, 10/s"],
    ["x:  50%|█████     | 1.50M/3.00M [00:01<00:01, 1.20MB/s]", "x: 1500000 of 3000000, 1200000/s, 1 s left"],
    ["x:  10%|#         | 10/100 [1:00:00<9:00:00, 360.00s/it]", "x: 10 of 100, 6 min each, 9 h 0 min left"],
    ["Working... ━━━━━━━━━╸━━━━━━━━━━  45% 0:00:05", "Working...: 45 of 100, 5 s left"],
    ["unpack ━━━━━━━━━━╺━━━━━━━━━━  25% -:--:--", "unpack: 25 of 100"],
  ])("%s", (line, expected) => {
    expect(drawn(`something before\n${line}`).map(sayBar)).toEqual([expected]);
  });

  test.each([
    "100%|██████████| 100/100 [00:04<00:00, 10.00it/s]",
    "Working... ━━━━━━━━━━━━━━━━━━━━ 100% 0:00:05",
    "accuracy 45% of 100",
    "[00:04] step 3/10",
    "",
  ])("is none that is full, and no other line: %s", (line) => expect(drawn(line)).toEqual([]));

  test("is read as it was drawn, whatever the numbers", () => {
    const clock = (seconds: number) =>
      [Math.floor(seconds / 60), seconds % 60].map((part) => String(part).padStart(2, "0")).join(":");
    const anyBar = fc.record({
      title: fc.stringMatching(/^[A-Za-z][A-Za-z0-9 ]{0,10}[a-z]$/),
      total: fc.integer({ min: 2, max: 1_000_000 }),
      share: fc.double({ min: 0, max: 0.99, noNaN: true }),
      left: fc.integer({ min: 0, max: 3599 }),
    });
    fc.assert(
      fc.property(anyBar, ({ title, total, share, left }) => {
        const done = Math.floor(total * share);
        const percent = Math.floor((100 * done) / total);
        const line = `${title}: ${String(percent).padStart(3)}%|##   | ${done}/${total} [00:10<${clock(left)}, 3.00it/s]`;
        expect(drawn(line)).toEqual([{ title, done, total, perSecond: 3, secondsLeft: left }]);
      }),
    );
  });

  test("reading any text ends, without nonsense", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("1", "%", "|", "/", "[", ":", "<", ",", " ", "s", "━", "\n") }),
        (text) => {
          for (const bar of drawn(text)) expect(sayBar(bar)).not.toMatch(/NaN|Infinity/);
        },
      ),
    );
    expect(drawn(`${"a: ".repeat(20_000)}1%|`)).toEqual([]);
  });
});

describe("an event of progress()", () => {
  const event = { op: "progress", id: "p1", title: "train", state: "running", done: 40, total: 100, seconds: 4 };

  test("is a bar while it is running", () => {
    expect(barOf(event)).toEqual({ title: "train", done: 40, total: 100, perSecond: 10, secondsLeft: 6 });
    expect(barOf({ ...event, state: "finished" })).toBe(null);
    expect(barOf({ ...event, total: null, title: null })).toMatchObject({
      title: null,
      total: null,
      secondsLeft: null,
    });
    expect(barOf({ op: "read", path: "/a" })).toBe(null);
  });

  test("is read whatever its numbers are", () => {
    fc.assert(
      fc.property(fc.double(), fc.double(), fc.double(), (done, total, seconds) => {
        const bar = barOf({ ...event, done, total, seconds });
        if (bar !== null) expect(sayBar(bar)).not.toMatch(/NaN|Infinity/);
      }),
    );
  });
});
