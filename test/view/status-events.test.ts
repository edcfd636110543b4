import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { renderStatusEvents } from "../../src/view/lines/status-events.ts";
import { view } from "./samples.ts";

function progress(facts: Readonly<Record<string, number | string | null>>): string {
  const event = { op: "progress", id: "p1", title: "training", state: "running", ...facts };
  return renderStatusEvents([event], view({ colors: 0, width: 100 })).join("\n");
}

describe("progress shows the rate and the time left", () => {
  test.each([
    [{ done: 30, total: 40, seconds: 12 }, "30 of 40, 2.5/s, 4 s left"],
    [{ done: 1, total: 100, seconds: 1 }, "1 of 100, 1/s, 1 min 39 s left"],
    [{ done: 1, total: 3, seconds: 3600 }, "1 of 3, 60 min each, 2 h 0 min left"],
    [{ done: 39, total: 40, seconds: 0.5 }, "39 of 40, 78/s, 1 s left"],
  ])("%j", (facts, end) => expect(progress(facts)).toMatch(new RegExp(`${end}$`)));

  test("but not before the first step, at the end, when stopped, or without a total", () => {
    const untold = [
      { done: 0, total: 40, seconds: 12 },
      { done: 40, total: 40, seconds: 12 },
      { done: 30, total: 40 },
      { done: 30, total: null, seconds: 12 },
      { done: 30, total: 40, seconds: 12, state: "stopped" },
      { done: 30, total: 40, seconds: 12, state: "finished" },
    ];
    expect(untold.map(progress).filter((line) => line.includes("left"))).toEqual([]);
  });

  test("for any numbers", () => {
    fc.assert(
      fc.property(fc.double(), fc.double(), fc.double(), (done, total, seconds) => {
        expect(progress({ done, total, seconds })).not.toMatch(/(NaN|Infinity|-\d+) (s|min|h)\b.*left/);
      }),
      { examples: [[1, 1e306, 1]] },
    );
  });
});
