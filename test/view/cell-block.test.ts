import { describe, expect, test } from "vitest";
import type { ShownPart } from "../../src/output/capture.ts";
import { jsonTree } from "../../src/output/display/json-tree.ts";
import { renderCellBlock } from "../../src/view/cell-block.ts";
import { withoutStyles } from "../../src/view/text/styled-text.ts";
import { expectScreen } from "./golden.ts";
import { cell, numberedLines, raised, view } from "./samples.ts";

const block = (details: Parameters<typeof cell>[0], options = view()): readonly string[] =>
  renderCellBlock(cell(details), { ...options, previewLines: 10 });

const plain = (details: Parameters<typeof cell>[0], options = view({ colors: 0 })): string =>
  block(details, options).join("\n");

const picture: ShownPart = {
  type: "image",
  mimeType: "image/png",
  base64: "",
  width: 640,
  height: 480,
  alt: "sales by region",
  original: { width: 640, height: 480, bytes: 12_000 },
};

test("an expanded cell shows the whole output when the model read a part", () => {
  const counts = { totalLines: 3, totalBytes: 16, shownLines: 2, shownBytes: 10, elidedLines: 1, elidedBytes: 6 };
  const truncation = { ...counts, artifact: "artifact://main-1", problem: null };
  const long = { output: "first\n… 1 line …\nlast\n", fullOutput: "first\nmiddle\nlast\n", truncation };
  expect(plain(long)).toContain("1 line left out of 3 lines");
  const expanded = plain(long, view({ colors: 0, expanded: true }));
  expect(expanded).toContain("middle");
  expect(expanded).not.toContain("left out");
});

describe("the head of a cell shows its status", () => {
  test.each([
    ["pending", { status: "pending", durationMs: null, executionCount: null, startedAt: null }, "○ load · pending"],
    ["running", { status: "running", durationMs: null, executionCount: null }, "▶ load · running 3.2 s"],
    ["complete", { status: "complete" }, "✓ load · [1] · 40 ms"],
    ["error", { status: "error", error: { name: "KeyError", message: "'x'" } }, "✗ load · KeyError · [1] · 40 ms"],
    ["cancelled", { status: "cancelled", durationMs: 75_000 }, "■ load · cancelled · [1] · 1 min 15 s"],
    ["skipped", { status: "skipped", durationMs: null, executionCount: null }, "– load · not run"],
  ] as const)("%s", (_, details, head) => {
    expect(plain({ title: "load", ...details }, view({ colors: 0, now: 1_003_200 })).split("\n")[0]).toBe(head);
  });

  test("and its number in the call", () => {
    const [head] = renderCellBlock(cell(), { ...view({ colors: 0 }), previewLines: 10, number: { at: 2, of: 3 } });
    expect(head).toBe("✓ 2/3 python · [1] · 40 ms");
  });
});

describe("collapsed", () => {
  test("shows the first ten rows of code and the last ten of the output, and the key for the rest", async () => {
    await expectScreen(
      "cell-collapsed",
      block({ title: "count", code: numberedCode(14), output: numberedLines(40) }),
      view(),
    );
  });

  test("a long line counts as the rows that it takes", () => {
    const lines = plain({ output: `${"x".repeat(600)}\nend`, code: "" }).split("\n");
    expect(lines).toHaveLength(1 + 1 + 10);
    expect(lines[1]).toBe("  … 1 earlier line (ctrl+o)");
    expect(lines.at(-1)).toBe("  end");
  });

  test("says when there was no output", () => {
    expect(plain({ output: "" })).toContain("(no output)");
    expect(plain({ output: "", status: "running" })).not.toContain("(no output)");
  });
});

test("expanded, shows everything", () => {
  const text = plain({ code: numberedCode(14), output: numberedLines(40) }, view({ colors: 0, expanded: true }));
  expect(text).not.toContain("…");
  expect(text.split("\n")).toHaveLength(1 + 14 + 40);
});

test("a traceback's last line stands out", async () => {
  const output = [
    "Traceback (most recent call last):",
    '  File "cell 2", line 3, in <module>',
    "    df['regoin'].sum()",
    "KeyError: 'regoin'",
  ].join("\n");
  const code = '# by region\ntotal = 0\nfor name in ["north", "south"]:\n    total += df["regoin"].sum() * 1.5';
  const failed = {
    title: "totals",
    code,
    ...raised(output, "KeyError"),
    status: "error",
    error: { name: "KeyError", message: "'regoin'" },
  } as const;
  await expectScreen("cell-error", block(failed), view());
});

test("an error that is not in the output is shown", () => {
  const text = plain({
    output: "",
    status: "error",
    error: { name: "kernel-died", message: "Python was killed (SIGKILL)." },
  });
  expect(text).toContain("kernel-died: Python was killed (SIGKILL).");
});

describe("what was printed is not taken for what was raised", () => {
  const traceback =
    'Traceback (most recent call last):\n  File "cell 1", line 1, in <module>\n    f()\nKeyError: 1\nnot 2\n';
  const error = { name: "KeyError", message: "1\nnot 2" };

  test("only lines of the traceback stand out, all that the message has", () => {
    const { output, places } = raised(traceback, "KeyError", "KeyError: only printed\n");
    const lines = block({ output, places, status: "error", error });
    const { theme } = view();
    expect(lines).toEqual(expect.arrayContaining([expect.stringContaining(theme.error("KeyError: 1"))]));
    expect(lines).toEqual(expect.arrayContaining([expect.stringContaining(theme.error("not 2"))]));
    expect(lines.join("\n")).not.toContain(theme.error("KeyError: only printed"));
    expect(lines.filter((line) => line.includes("KeyError: 1"))).toHaveLength(1);
  });

  test("an error is told when the output has only a line like it", () => {
    const text = plain({ output: "KeyError: only printed\n", places: [], status: "error", error });
    expect(text).toMatch(/KeyError: only printed[\s\S]*KeyError: 1/);
  });

  test("an error is told when the traceback is that of another one, or was left out", () => {
    const other = { name: "InputNotAvailable", message: "Nobody can answer." };
    expect(plain({ ...raised(traceback, "KeyError"), status: "error", error: other })).toContain(
      "InputNotAvailable: Nob",
    );
    const leftOut = raised("", "KeyError", "… 12 lines left out …\n");
    expect(plain({ ...leftOut, status: "error", error })).toContain("KeyError: 1");
  });
});

describe("truncation", () => {
  const truncation = {
    totalLines: 90_000,
    totalBytes: 1_200_000,
    shownLines: 3000,
    shownBytes: 48_000,
    elidedLines: 87_000,
    elidedBytes: 1_152_000,
    artifact: "artifact://s1-4",
    problem: null,
  };

  test("says how much is missing, and where all of it is", async () => {
    await expectScreen("cell-truncated", block({ output: numberedLines(12), truncation }), view());
  });

  test("says why it was not kept", () => {
    const text = plain(
      { truncation: { ...truncation, artifact: null, problem: "the disk is full" } },
      view({ colors: 0, width: 200 }),
    );
    expect(text).toContain("87,000 lines left out of 90,000 lines, 1.2 MB. It could not be kept: the disk is full");
  });
});

describe("displays", () => {
  const value = { name: "sales", rows: [1, 2, 3, 4, 5, 6, 7], nested: { a: { b: { c: 1 } } }, note: null };
  const events: readonly ShownPart[] = [
    { type: "status", event: { op: "read", path: "/data/sales.csv", bytes: 48_211 } },
    { type: "status", event: { op: "write", path: "/data/out.csv", bytes: 812, created: true } },
    { type: "status", event: { op: "search", path: "/data", pattern: "TODO", count: 200, complete: false } },
    { type: "status", event: { op: "progress", id: "p1", title: "training", done: 30, total: 40, state: "running" } },
    { type: "status", event: { op: "deploy", target: "staging", replicas: 3 } },
  ];

  test("values are trees, pictures have names, and the last three events are shown", async () => {
    const parts: readonly ShownPart[] = [{ type: "json", value }, picture, ...events];
    await expectScreen("cell-displays", block({ code: "show()", output: "", parts }), view());
  });

  test("expanded, the tree is deeper, and events have all their fields", async () => {
    const parts: readonly ShownPart[] = [{ type: "json", value }, picture, ...events];
    await expectScreen(
      "cell-displays-expanded",
      block({ code: "show()", output: "", parts }, view({ expanded: true })),
      view(),
    );
  });

  test("expanded, at most ten events are shown", () => {
    const parts = Array.from(
      { length: 25 },
      (_, at): ShownPart => ({ type: "status", event: { op: `step-${at + 1}` } }),
    );
    const lines = plain({ output: "", parts }, view({ colors: 0, expanded: true })).split("\n");
    expect(lines.filter((line) => line.includes("· step-"))).toHaveLength(10);
    expect(lines).toContain("  … 15 earlier events");
  });

  test("a value is not repeated as text", () => {
    const tree = jsonTree(value).text;
    const shown = { start: 7, end: 8 + tree.length };
    const places = [{ shown, whole: shown, parts: 1, isStandIn: true }];
    const text = plain({ output: `before\n${tree}\nafter`, parts: [{ type: "json", value }], places });
    expect(text).toMatch(/before\n {2}\{4 keys\}\n[\s\S]*\n {2}after$/);
    expect(text).not.toContain('"rows": [');
  });

  test("a picture is drawn where the host can draw", () => {
    const asked: number[] = [];
    const pictures = (_: unknown, width: number): readonly string[] => {
      asked.push(width);
      return ["▀▀▀▀", "▀▀▀▀"];
    };
    const lines = block({ output: "", parts: [picture] }, view({ colors: 0, width: 40, pictures }));
    expect(asked).toEqual([40]);
    expect(lines.slice(-2)).toEqual(["▀▀▀▀", "▀▀▀▀"]);
  });
});

test("wide characters, emoji, accents and tabs stay in their columns", async () => {
  const output = "name\tplace\n日本\t東京\nÅse\tOslo\n👩‍🚀\torbit\n\u001b[31mnot red\u001b[0m";
  const code = 'say("こんにちは世界、これは長い行です、折り返されます")  # 👍🏽 cafe\u0301';
  await expectScreen("cell-wide-characters", block({ code, output }, view({ width: 30 })), view({ width: 30 }));
});

test("a cell in twenty columns", async () => {
  const details = {
    title: "a title that is too long",
    code: 'print("Hello, world, how are you?")',
    output: "Hello, world, how are you?",
    notices: ["Python was restarted: it was killed. Earlier variables are gone."],
  };
  await expectScreen("cell-narrow", block(details, view({ width: 20 })), view({ width: 20 }));
});

test("a title, a name or a notice cannot move the cursor", () => {
  const evil = "\u001b[2J\u001b]0;owned\u0007\r\n";
  const lines = block({
    title: evil,
    code: evil,
    language: evil,
    output: evil,
    notices: [evil],
    status: "error",
    error: { name: evil, message: evil },
    parts: [
      { ...picture, alt: evil },
      { type: "json", value: { [evil]: evil } },
      { type: "status", event: { op: evil, fact: evil } },
    ],
  });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: there must be none
  for (const line of lines) expect(withoutStyles(line)).not.toMatch(/[\u0000-\u001f\u007f]/);
});

function numberedCode(count: number): string {
  return Array.from({ length: count }, (_, at) => `print(${at + 1})`).join("\n");
}
