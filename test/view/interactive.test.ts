import { describe, expect, test } from "vitest";
import { renderInteractive } from "../../src/view/interactive.ts";
import { bash, cell, numberedLines, view } from "./samples.ts";

const noColours = view({ colors: 0 });

test("the last twenty rows of what a person ran, without the code", () => {
  const lines = renderInteractive(cell({ code: "secret_code()", output: numberedLines(50) }), noColours);
  expect(lines).toHaveLength(21);
  expect(lines[0]).toBe("  … 30 earlier lines (ctrl+o)");
  expect(lines.at(-1)).toBe("  line 50");
  expect(lines.join("\n")).not.toContain("secret_code");
});

test("fewer rows where there are fewer, everything when expanded", () => {
  const work = cell({ output: numberedLines(50) });
  expect(renderInteractive(work, { ...noColours, previewLines: 5 })).toHaveLength(6);
  expect(renderInteractive(work, { ...noColours, expanded: true })).toHaveLength(50);
});

test("a line is cut at 4,000 characters, and says how many are left", () => {
  const lines = renderInteractive(cell({ output: `${"x".repeat(3999)}👍${"y".repeat(6000)}\nshort` }), {
    ...noColours,
    width: 300,
    expanded: true,
  });
  const text = lines.map((line) => line.slice(2)).join("");
  expect(text).toBe(`${"x".repeat(3999)} … 6,002 more charactersshort`);
});

test("nothing is shown where nothing was put out", () => {
  expect(renderInteractive(cell({ output: "" }), noColours)).toEqual([]);
  expect(renderInteractive(bash({ output: "" }), noColours)).toEqual([]);
});

describe("notices", () => {
  const error = { name: "ValueError", message: "no" };
  test.each([
    ["a cell that runs", cell({ status: "running", output: "", durationMs: null }), ["  running 5.0 s"]],
    [
      "a cell that was cancelled",
      cell({ status: "cancelled", output: "", durationMs: 3200 }),
      ["  cancelled after 3.2 s"],
    ],
    [
      "a cell that failed",
      cell({ status: "error", output: "ValueError: no", error }),
      ["  ValueError: no", "  failed after 40 ms"],
    ],
    ["a cell that was not run", cell({ status: "skipped", output: "", durationMs: null }), ["  not run"]],
    ["a command that failed", bash({ status: "error", exitCode: 2 }), ["  exit code 2 after 20 ms"]],
    [
      "a command that was ended",
      bash({ status: "error", exitCode: null, signal: "SIGKILL" }),
      ["  ended by SIGKILL after 20 ms"],
    ],
    ["a command that took too long", bash({ status: "timeout", durationMs: 30_000 }), ["  timed out after 30 s"]],
    ["a command that was cancelled", bash({ status: "cancelled" }), ["  cancelled after 20 ms"]],
  ])("%s", (_, work, lines) => {
    expect(renderInteractive(work, { ...noColours, now: 1_005_000 })).toEqual(lines);
  });

  test("what was left out, and where it is", () => {
    const size = { totalLines: 10, totalBytes: 900, shownLines: 8, shownBytes: 700, elidedLines: 2, elidedBytes: 200 };
    const truncation = { ...size, artifact: "artifact://s1-4", problem: null };
    const lines = renderInteractive(bash({ output: "x", truncation }), { ...noColours, width: 100 });
    expect(lines).toEqual(["  x", "  2 lines left out of 10 lines, 900 bytes. All of it: artifact://s1-4"]);
  });
});
