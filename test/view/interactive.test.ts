import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TextLook } from "../../src/output/capture.ts";
import type { DisplayPlace } from "../../src/output/output-part.ts";
import { type InteractiveCell, renderInteractive } from "../../src/view/interactive.ts";
import { withoutStyles } from "../../src/view/text/styled-text.ts";
import { expectScreen } from "./golden.ts";
import { bash, cell as cellDetails, numberedLines, raised, view } from "./samples.ts";

const noColours = view({ colors: 0 });
const cell = (details: Partial<InteractiveCell>) => ({ ...cellDetails(), ...details });

test("shows the beginning and the end of an output, with a count of the lines between, without the code", () => {
  const lines = renderInteractive(cell({ code: "secret_code()", output: numberedLines(50) }), noColours);
  expect(lines).toHaveLength(21);
  expect(lines[0]).toBe("  line 1");
  expect(lines.slice(7, 10)).toEqual(["  line 8", "  … 30 lines (ctrl+o)", "  line 39"]);
  expect(lines.at(-1)).toBe("  line 50");
  expect(lines.join("\n")).not.toContain("secret_code");
});

test("a single line is never left out: the row that says so would take as much room", () => {
  expect(renderInteractive(cell({ output: numberedLines(21) }), noColours)).toHaveLength(21);
  expect(renderInteractive(cell({ output: numberedLines(22) }), noColours)[8]).toBe("  … 2 lines (ctrl+o)");
});

test("a line that takes many rows is counted as one line", () => {
  const lines = renderInteractive(bash({ output: `first\n${"x".repeat(3000)}\nlast` }), noColours);
  expect(lines[0]).toBe("  first");
  expect(lines[8]).toBe("  … 1 line (ctrl+o)");
  expect(lines.at(-1)).toBe("  last");
});

/** An output with displays between printed text. */
function inOrder(...pieces: readonly (string | { readonly text: string; readonly look: TextLook })[]) {
  let output = "";
  const places: DisplayPlace[] = [];
  for (const piece of pieces) {
    const start = output.length;
    output += typeof piece === "string" ? piece : `${piece.text}\n`;
    const span = { start, end: output.length };
    if (typeof piece !== "string")
      places.push({ shown: span, whole: span, parts: 0, isStandIn: false, look: piece.look });
  }
  return { output, places };
}

describe("displayed values", () => {
  const shown = (text: string, look: TextLook) => ({ text, look });
  const value = (text: string, coloured: string | null = null) => shown(text, { kind: "value", coloured });

  test("have Python's colours where they are Python code, or their own", async () => {
    const python = "{'alpha': [1, None],\n 'beta': 'text'}";
    const table = "   a  b\n0  1  2";
    const rich = "red and bold\nstill bold";
    const displays = [
      value(python),
      value(table),
      value(rich, "\x1b[31mred\x1b[39m and \x1b[1mbold\nstill bold\x1b[0m"),
      value("datetime.date(2026, 1, 2)"),
    ];
    const lines = renderInteractive(cell(inOrder("printed 1\n", ...displays, "'printed'")), view());
    await expectScreen("interactive-values", lines, view());
  });

  test("have no colours where there are none", () => {
    const lines = renderInteractive(cell(inOrder(value("[1, 'a']"))), noColours);
    expect(lines).toEqual(["  [1, 'a']"]);
  });

  test("are previewed together, regardless of their number", () => {
    const displays = Array.from({ length: 500 }, (_, at) => value(String(at)));
    expect(renderInteractive(cell(inOrder(...displays)), noColours)).toHaveLength(21);
  });

  test("a page begins at its top, and has its own preview", () => {
    const page = shown(numberedLines(50), { kind: "page", coloured: null });
    const lines = renderInteractive(cell(inOrder("before\n", page, "after")), noColours);
    expect(lines.slice(0, 2)).toEqual(["  before", "  line 1"]);
    expect(lines.slice(-3)).toEqual(["  line 20", "  … 30 more lines (ctrl+o)", "  after"]);
  });

  test("keep their text, apart from colours", () => {
    const pieces = fc.array(fc.constantFrom("a", "1", "'", "\n", "[", ", ", "\t", "é"), { minLength: 1 });
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = `[${parts.join("")}]`;
        const plain = renderInteractive(cell({ output: text }), { ...noColours, expanded: true });
        const painted = renderInteractive(cell(inOrder(value(text))), view({ expanded: true }));
        expect(painted.map(withoutStyles)).toEqual(plain);
      }),
    );
  });
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

test("nothing is shown without output", () => {
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
      cell({ status: "error", ...raised("ValueError: no", "ValueError"), error }),
      ["  ValueError: no"],
    ],
    [
      "a cell that failed after a while",
      cell({ status: "error", ...raised("ValueError: no", "ValueError"), error, durationMs: 3200 }),
      ["  ValueError: no", "  failed after 3.2 s"],
    ],
    ["a cell that timed out", cell({ status: "timeout", output: "", durationMs: 5000 }), ["  timed out after 5.0 s"]],
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

  test("the left-out part, and where it is", () => {
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

  test("are between the text printed before and after", () => {
    const output = "before\n<Figure>\nafter";
    const lines = renderInteractive(cell({ output, parts, places: placesAt(7) }), noColours);
    expect(lines).toEqual(["  before", "  [image/png 4x3: a wave]", "  after"]);
  });

  test("have text before and after them, of which both ends are shown", () => {
    const output = `${numberedLines(30)}\n<Figure>\n${numberedLines(50)}`;
    const places = placesAt(numberedLines(30).length + 1);
    const lines = renderInteractive(cell({ output, parts, places }), noColours);
    expect(lines[8]).toBe("  … 10 lines (ctrl+o)");
    expect(lines.slice(20, 23)).toEqual(["  line 30", "  [image/png 4x3: a wave]", "  line 1"]);
    expect(lines[30]).toBe("  … 30 lines (ctrl+o)");
    expect(lines).toHaveLength(43);
  });

  test("stand where they were displayed, regardless of printed text", () => {
    const output = "<Figure>\nmiddle\n<Figure>\n";
    const lines = renderInteractive(cell({ output, parts, places: placesAt(0) }), noColours);
    expect(lines).toEqual(["  [image/png 4x3: a wave]", "  middle", "  <Figure>"]);
  });

  test("come after the output where their place is unknown", () => {
    const lines = renderInteractive(cell({ output: "<Figure>\nafter", parts }), noColours);
    expect(lines).toEqual(["  <Figure>", "  after", "  [image/png 4x3: a wave]"]);
  });
});
