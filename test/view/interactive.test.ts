import { describe, expect, test } from "vitest";
import { type InteractiveCell, renderInteractive } from "../../src/view/interactive.ts";
import { bash, cell as cellDetails, numberedLines, view } from "./samples.ts";

const noColours = view({ colors: 0 });
const cell = (details: Partial<InteractiveCell>) => ({ ...cellDetails(), ...details });

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
    ["a cell that failed", cell({ status: "error", output: "ValueError: no", error }), ["  ValueError: no"]],
    [
      "a cell that failed after a while",
      cell({ status: "error", output: "ValueError: no", error, durationMs: 3200 }),
      ["  ValueError: no", "  failed after 3.2 s"],
    ],
    [
      "a cell that took too long",
      cell({ status: "timeout", output: "", durationMs: 5000 }),
      ["  timed out after 5.0 s"],
    ],
    ["a cell that took a while", cell({ output: "2", durationMs: 3200 }), ["  2", "  took 3.2 s"]],
    ["a cell that was not run", cell({ status: "skipped", output: "", durationMs: null }), ["  not run"]],
    ["a command that failed", bash({ status: "error", exitCode: 2 }), ["  exit code 2"]],
    ["a command that was ended", bash({ status: "error", exitCode: null, signal: "SIGKILL" }), ["  ended by SIGKILL"]],
    [
      "a command that could not be run",
      bash({ status: "error", exitCode: null, notices: ["No bash."] }),
      ["  No bash."],
    ],
    ["a command that took too long", bash({ status: "timeout", durationMs: 30_000 }), ["  timed out after 30 s"]],
    ["a command that was cancelled", bash({ status: "cancelled" }), ["  cancelled"]],
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

describe("pictures", () => {
  const image = { type: "image", mimeType: "image/png", base64: "", width: 4, height: 3, alt: "a wave" } as const;
  const parts = [{ ...image, original: { width: 4, height: 3, bytes: 9 } }];
  const placesAt = (start: number) => {
    const shown = { start, end: start + "<Figure>\n".length };
    return [{ shown, whole: shown, parts: 1, isStandIn: true }];
  };

  test("are between what was printed before and after", () => {
    const output = "before\n<Figure>\nafter";
    const lines = renderInteractive(cell({ output, parts, places: placesAt(7) }), noColours);
    expect(lines).toEqual(["  before", "  [image/png 4x3: a wave]", "  after"]);
  });

  test("have text before and after them, of which the end is shown", () => {
    const output = `${numberedLines(30)}\n<Figure>\n${numberedLines(50)}`;
    const places = placesAt(numberedLines(30).length + 1);
    const lines = renderInteractive(cell({ output, parts, places }), noColours);
    expect(lines[0]).toBe("  … 10 earlier lines (ctrl+o)");
    expect(lines.slice(20, 23)).toEqual(["  line 30", "  [image/png 4x3: a wave]", "  … 30 earlier lines (ctrl+o)"]);
    expect(lines).toHaveLength(43);
  });

  test("stand where they were displayed, whatever was printed", () => {
    const output = "<Figure>\nmiddle\n<Figure>\n";
    const lines = renderInteractive(cell({ output, parts, places: placesAt(0) }), noColours);
    expect(lines).toEqual(["  [image/png 4x3: a wave]", "  middle", "  <Figure>"]);
  });

  test("come after the output where nobody knows where they stood", () => {
    const lines = renderInteractive(cell({ output: "<Figure>\nafter", parts }), noColours);
    expect(lines).toEqual(["  <Figure>", "  after", "  [image/png 4x3: a wave]"]);
  });
});
