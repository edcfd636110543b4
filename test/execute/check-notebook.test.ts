import { describe, expect, test } from "vitest";
import { checkNotebook } from "../../src/execute/notebook/check/check-notebook.ts";
import { executionTimes } from "../../src/execute/notebook/check/execution-times.ts";
import { sayCheck } from "../../src/execute/notebook/check/say-check.ts";
import { code, manyOf, markdown, notebookOf } from "../notebook/notebooks.ts";

/** A cell that Granary has run, with the source it had then. */
function ran(count: number, source: string, sourceThen = source) {
  const note = { kernel: "k", count, before: count === 1 ? null : count - 1 };
  const execution = executionTimes({ begun: count * 1000, ended: count * 1000 + 1 }, sourceThen, note);
  return code(source, { execution_count: count, metadata: { execution } });
}

const findingsIn = (...cells: Parameters<typeof notebookOf>[0]) =>
  checkNotebook(notebookOf(cells)).findings.map(({ type, index }) => `${type} ${index}`);

describe("a check", () => {
  test("finds nothing in a notebook that was run from top to bottom", () => {
    expect(checkNotebook(notebookOf([markdown("# Hi"), ran(1, "a"), ran(2, "b"), code("  ")]))).toMatchObject({
      findings: [],
      unknown: 0,
      verdict: "current",
    });
  });

  test("finds cells that never ran, but not those that need not run", () => {
    const skipped = code("c", { metadata: { tags: ["skip-execution"] } });
    expect(findingsIn(ran(1, "a"), code("b"), code(" "), skipped)).toEqual(["never-run 1"]);
  });

  test("finds cells that were edited after their run", () => {
    expect(findingsIn(ran(1, "a"), ran(2, "b = 2", "b = 1"))).toEqual(["edited 1"]);
  });

  test("finds cells that ran out of order, and names the order", () => {
    const cells = [5, 3, 4, 6].map((count) => code("a", { execution_count: count }));
    const { findings } = checkNotebook(notebookOf(cells));
    expect(findings.map(({ message }) => message)).toEqual([
      "Cell 1 was run before cell 0 ([3] before [5]).",
      "Cell 2 was run before cell 0 ([4] before [5]).",
    ]);
  });

  test("finds cells that ran in different kernels, which count from 1 again", () => {
    const cells = [1, 1, 2].map((count) => code("a", { execution_count: count }));
    const { findings } = checkNotebook(notebookOf(cells));
    expect(findings).toMatchObject([
      {
        type: "out-of-order",
        index: 1,
        message: "Cell 1 and cell 0 have the same number, [1]: they were run in different kernels.",
      },
    ]);
  });

  test("is quick for any number of cells with the same number", () => {
    const elsewhere = code("a", { execution_count: 1 });
    expect(checkNotebook(manyOf(elsewhere)).findings).toHaveLength(199_999);
    expect(checkNotebook(manyOf(ran(2, "a"))).findings).toHaveLength(200_000);
  });

  test("does not claim to know what it cannot: cells that another program ran", () => {
    const elsewhere = code("a", { execution_count: 1 });
    const execution = { ...executionTimes({ begun: 0, ended: 1000 }, "old"), "shell.execute_reply": "later" };
    const againElsewhere = code("b", { execution_count: 2, metadata: { execution } });
    const check = checkNotebook(notebookOf([elsewhere, againElsewhere]));
    expect(check).toMatchObject({ findings: [], unknown: 2, verdict: "unknown" });
    expect(sayCheck(check, "a.ipynb")).toBe(
      "The numbers of the cells in a.ipynb are those of a run from top to bottom.\n" +
        "2 cells have no notes of a run, which another program or run --no-times does not write: whether the code was edited since cannot be known.",
    );
  });

  test("cannot tell where a number is missing that another program's kernel has given", () => {
    const cells = [2, 3, 7].map((count) => code("a", { execution_count: count }));
    const check = checkNotebook(notebookOf(cells));
    expect(check).toMatchObject({ findings: [], verdict: "unknown" });
    expect(sayCheck(check, "a.ipynb")).toMatch(
      /^Cannot tell whether a\.ipynb was run from top to bottom: no cell has \[1\]\./,
    );
  });

  test("takes the times of another program into account", () => {
    const at = (begun: number) => {
      const { "granary.source": _, ...times } = executionTimes({ begun, ended: begun + 10 }, "");
      return { execution: times };
    };
    const cells = [
      code("a", { execution_count: 1, metadata: at(1000) }),
      code("b", { execution_count: 2, metadata: at(500) }),
    ];
    expect(checkNotebook(notebookOf(cells)).findings.map(({ message }) => message)).toEqual([
      "Cell 1 is stale: cell 0 was run again since.",
    ]);
  });

  test("does not trust the record of a cell that a program without times ran later", () => {
    const [first, second] = [ran(1, "a"), ran(2, "b", "before")];
    expect(findingsIn(first, { ...Object(second), execution_count: 3 })).toEqual([]);
  });

  test("does not say of a notebook without code that it was run", () => {
    expect(sayCheck(checkNotebook(notebookOf([markdown("# Hi"), code(" ")])), "a.ipynb")).toBe(
      "a.ipynb has no code to run.",
    );
  });
});
