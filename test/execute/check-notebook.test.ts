import { describe, expect, test } from "vitest";
import { checkNotebook } from "../../src/execute/notebook/check-notebook.ts";
import { executionTimes } from "../../src/execute/notebook/execution-times.ts";
import { code, markdown, notebookOf } from "../notebook/notebooks.ts";

/** A cell that Granary has run, with the source it had then. */
function ran(count: number, source: string, sourceThen = source) {
  const execution = executionTimes({ begun: 0, ended: 1000 }, sourceThen);
  return code(source, { execution_count: count, metadata: { execution } });
}

const findingsIn = (...cells: Parameters<typeof notebookOf>[0]) =>
  checkNotebook(notebookOf(cells)).findings.map(({ type, index }) => `${type} ${index}`);

describe("a check", () => {
  test("finds nothing in a notebook that was run from top to bottom", () => {
    expect(checkNotebook(notebookOf([markdown("# Hi"), ran(1, "a"), ran(2, "b"), code("  ")]))).toEqual({
      findings: [],
      unknown: 0,
    });
  });

  test("finds what was never run, but not what need not be", () => {
    const skipped = code("c", { metadata: { tags: ["skip-execution"] } });
    expect(findingsIn(ran(1, "a"), code("b"), code(" "), skipped)).toEqual(["never-run 1"]);
  });

  test("finds what was edited after it was run", () => {
    expect(findingsIn(ran(1, "a"), ran(2, "b = 2", "b = 1"))).toEqual(["edited 1"]);
  });

  test("finds what was run out of order, and says in which", () => {
    const { findings } = checkNotebook(notebookOf([ran(5, "a"), ran(3, "b"), ran(4, "c"), ran(6, "d")]));
    expect(findings.map(({ message }) => message)).toEqual([
      "Cell 1 was run before cell 0 ([3] before [5]).",
      "Cell 2 was run before cell 0 ([4] before [5]).",
    ]);
  });

  test("finds what was run in different kernels, which count anew", () => {
    const { findings } = checkNotebook(notebookOf([ran(1, "a"), ran(1, "b"), ran(2, "c")]));
    expect(findings).toMatchObject([
      {
        type: "out-of-order",
        index: 1,
        message: "Cell 1 and cell 0 have the same number, [1]: they were run in different kernels.",
      },
    ]);
  });

  test("does not claim to know what it cannot: cells that another program ran", () => {
    const elsewhere = code("a", { execution_count: 1 });
    const execution = { ...executionTimes({ begun: 0, ended: 1000 }, "old"), "shell.execute_reply": "later" };
    const againElsewhere = code("b", { execution_count: 2, metadata: { execution } });
    expect(checkNotebook(notebookOf([elsewhere, againElsewhere]))).toEqual({ findings: [], unknown: 2 });
  });
});
