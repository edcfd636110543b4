import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkNotebook } from "../../src/execute/notebook/check/check-notebook.ts";
import { sayCheck } from "../../src/execute/notebook/check/say-check.ts";
import { type RunNotebookOptions, runNotebook } from "../../src/execute/run-notebook.ts";
import { parseNotebook } from "../../src/notebook/parse/parse-notebook.ts";
import type { Runtime } from "../../src/runtime/runtime.ts";
import type { JsonObject } from "../../src/support/json/value.ts";
import { repetitions } from "../environment/variants.ts";
import { folder, notebookFile, readCells, runtime } from "./notebook-runs.ts";

/** The report of `granary notebook check`. */
const said = (path: string): string => sayCheck(checkNotebook(parseNotebook(readFileSync(path))), "it");

/** An edit as any program would make it. */
function edit(path: string, change: (cells: JsonObject[]) => JsonObject[]): void {
  const notebook = JSON.parse(readFileSync(path, "utf8"));
  writeFileSync(path, JSON.stringify({ ...notebook, cells: change(notebook.cells) }));
}

async function runAlone(granary: Runtime, path: string, options: RunNotebookOptions = {}): Promise<void> {
  await using session = granary.session(`run-${++runs}`);
  await runNotebook(session, path, options);
}
let runs = 0;

const asMarkdown = ({ execution_count: _, outputs: __, ...cell }: JsonObject): JsonObject => ({
  ...cell,
  cell_type: "markdown",
});

const cleared = (cell: JsonObject): JsonObject => ({ ...cell, execution_count: null, outputs: [] });
const tagged = (cell: JsonObject, tag: string): JsonObject => ({
  ...cell,
  metadata: { ...(cell.metadata as JsonObject), tags: [tag] },
});

describe("after a run, check says", () => {
  test.each<[what: string, change: (cells: JsonObject[]) => JsonObject[], verdict: string]>([
    ["nothing of a notebook as it was run", (cells) => cells, "it was run from top to bottom."],
    [
      "which cells miss the first one, which was deleted",
      (cells) => cells.slice(1),
      "Cells 0 to 2 are stale: a cell that ran before, [1], is no longer in the notebook.",
    ],
    [
      "which cells miss one that is Markdown now",
      ([first, ...others]) => [asMarkdown(first as JsonObject), ...others],
      "Cells 1 to 3 are stale: cell 0, which ran before as [1], is Markdown now.",
    ],
    [
      "which cells miss one that is not to be run any more",
      ([first, ...others]) => [tagged(first as JsonObject, "skip-execution"), ...others],
      "Cells 1 to 3 are stale: cell 0, which ran before as [1], has the tag skip-execution now.",
    ],
    [
      "nothing of one that is not to be run any more, and after which nothing ran",
      (cells) => [...cells.slice(0, -1), tagged(cells.at(-1) as JsonObject, "skip-execution")],
      "it was run from top to bottom.",
    ],
    [
      "that a cell was cleared, after which the others ran all the same",
      ([first, second, ...others]) => [first as JsonObject, cleared(second as JsonObject), ...others],
      "Cell 1 was cleared after it was run: its outputs are missing.",
    ],
    [
      "that all cells were cleared",
      (cells) => cells.map(cleared),
      [0, 1, 2, 3].map((n) => `Cell ${n} was cleared after it was run: its outputs are missing.`).join("\n"),
    ],
    [
      "which cells ran before the one above them was edited and cleared",
      ([first, second, ...others]) => [
        first as JsonObject,
        { ...cleared(second as JsonObject), source: "y = 9" },
        ...others,
      ],
      "Cell 1 was edited and cleared after it was run.\nCells 2 and 3 are stale: cell 1 was edited since.",
    ],
    [
      "that a cell was cleared, and another deleted",
      ([, second, ...others]) => [cleared(second as JsonObject), ...others],
      "Cell 0 was cleared after it was run: its outputs are missing.\n" +
        "Cells 1 and 2 are stale: a cell that ran before, [1], is no longer in the notebook.",
    ],
    [
      "that a copy was not run, and was cleared",
      (cells) => [...cells, { ...cleared(cells[1] as JsonObject), id: "copy" }],
      "Cell 4 is a copy of cell 1, [2], and was not run itself.",
    ],
    [
      "which cells ran before the one above them was edited",
      ([first, second, ...others]) => [first as JsonObject, { ...second, source: "y = 9" }, ...others],
      "Cell 1 was edited after it was run: its output is of other code.\nCells 2 and 3 are stale: cell 1 was edited since.",
    ],
    [
      "what a cell that was moved down means",
      ([first, second, ...others]) => [second as JsonObject, first as JsonObject, ...others],
      "Cells 0, 2 and 3 are stale: cell 1, which ran before, is below now.\nCell 1 was run before cell 0 ([1] before [2]).",
    ],
    [
      "which cells ran without a new one",
      ([first, ...others]) => [
        first as JsonObject,
        { cell_type: "code", id: "new", metadata: {}, source: "z = 1", execution_count: null, outputs: [] },
        ...others,
      ],
      "Cell 1 was never run.\nCells 2 to 4 are stale: cell 1 was never run.",
    ],
    [
      "that a copy was not run",
      (cells) => [...cells, { ...(cells[1] as JsonObject), id: "copy" }],
      "Cell 4 is a copy of cell 1, [2], and was not run itself.",
    ],
    ["nothing of a last cell that was deleted", (cells) => cells.slice(0, -1), "it was run from top to bottom."],
  ])("%s", async (_, change, verdict) => {
    await using granary = await runtime();
    const path = notebookFile(["x = 1", "y = x + 1", "print(x)", "print(y)"]);
    await runAlone(granary, path);
    edit(path, change);
    expect(said(path)).toBe(verdict);
  });

  test("that nothing was recorded, for a run without records", async () => {
    await using granary = await runtime();
    const path = notebookFile(["x = 1", "print(x)"]);
    await runAlone(granary, path, { recordTimes: false });
    expect(said(path)).toBe(
      "The numbers of the cells in it are those of a run from top to bottom.\n" +
        "2 cells have no notes of a run, which another program or run --no-times does not write: " +
        "whether the code was edited since cannot be known.",
    );
  });

  test("which cells are older than a run that failed above them, and where it failed", async () => {
    await using granary = await runtime();
    const path = notebookFile(["x = 1", "import os\nif os.path.exists('no-data'): 1 / 0", "print(x)", "print(2)"]);
    await runAlone(granary, path);
    expect(said(path)).toBe("it was run from top to bottom.");
    writeFileSync(join(folder, "no-data"), "");
    await runAlone(granary, path);
    expect(said(path)).toBe(
      "Cell 1 shows an error: ZeroDivisionError: division by zero.\nCells 2 and 3 are stale: cell 1 was run again since.",
    );
  });

  test("also when the run was in the same kernel", async () => {
    await using granary = await runtime();
    const session = granary.session();
    const path = notebookFile(["n = globals().get('n', 0) + 1", "assert n < 2", "print(n)"]);
    await runNotebook(session, path);
    await runNotebook(session, path);
    expect(said(path)).toBe("Cell 1 shows an error: AssertionError.\nCell 2 was run before cell 1 ([3] before [5]).");
  });

  test("which cells ran in another kernel than those above them", async () => {
    await using granary = await runtime();
    const path = notebookFile(["x = 1", "y = 2", "print(3)", "print(4)"]);
    await runAlone(granary, path);
    await runAlone(granary, path, { from: 2 });
    expect(said(path)).toBe("Cells 2 and 3 are stale: cell 1 was run in another kernel.");
  });

  test("nothing of cells that were run again in their kernel, in order, but that other code ran there", async () => {
    await using granary = await runtime();
    const session = granary.session();
    const path = notebookFile(["x = 1", "y = x", "print(y)"]);
    await runNotebook(session, path);
    await session.run("x = 5").result;
    await runNotebook(session, path, { from: 1 });
    expect(said(path)).toBe("it was run from top to bottom, in a kernel that also ran other code ([2] to [4]).");
  });

  test("that cells behind sys.exit() were not run", async () => {
    await using granary = await runtime();
    const path = notebookFile(["x = 1", "import sys\nsys.exit()", "print(x)"]);
    await runAlone(granary, path);
    expect(said(path)).toBe("Cell 2 was never run.");
  });

  test("that a cell shows an error, even if the run continued; but not where the error is expected", async () => {
    await using granary = await runtime();
    const meant = { source: "1 / 0", metadata: { tags: ["raises-exception"] } };
    const path = notebookFile(["int('x')", meant, "print(1)"]);
    await runAlone(granary, path, { allowErrors: true });
    expect(said(path)).toBe("Cell 0 shows an error: ValueError: invalid literal for int() with base 10: 'x'.");
  });
});

/** Each cell prints the whole history of its kernel, so a fresh run shows which outputs are stale. */
const telling = (name: string) => `history = globals().get('history', []) + ['${name}']\nprint(history)`;

type Step =
  | { readonly do: "run"; readonly from?: number; readonly cells?: readonly number[]; readonly sameKernel: boolean }
  | { readonly do: "delete" | "markdown" | "edit" | "insert" | "clear" | "skip"; readonly at: number }
  | { readonly do: "move"; readonly at: number; readonly to: number };

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant("run" as const), sameKernel: fc.boolean() }) },
  fc.record({ do: fc.constant("run" as const), sameKernel: fc.boolean(), from: fc.nat(3) }),
  fc.record({ do: fc.constant("run" as const), sameKernel: fc.boolean(), cells: fc.tuple(fc.nat(3)) }),
  fc.record({
    do: fc.constantFrom("delete", "markdown", "edit", "insert", "clear", "skip"),
    at: fc.nat(3),
  }),
  fc.record({ do: fc.constant("move" as const), at: fc.nat(3), to: fc.nat(3) }),
);

test("after any runs and edits, a notebook reported as run from top to bottom shows the outputs of a fresh run", async () => {
  await using granary = await runtime();
  const verdicts: string[] = [];
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 5 }), async (plan) => {
      let made = 0;
      const fresh = (): JsonObject => {
        made += 1;
        const source = telling(`c${made}`);
        return { cell_type: "code", id: `new${made}`, metadata: {}, source, execution_count: null, outputs: [] };
      };
      const path = notebookFile([fresh(), fresh(), fresh()]);
      await using session = granary.session(`property-${++runs}`);
      for (const step of plan) await take(step, path, session, fresh);
      const check = checkNotebook(parseNotebook(readFileSync(path)));
      verdicts.push(check.verdict);
      if (check.verdict !== "current") return;
      // Only a kernel that ran nothing else shows it by its history.
      if (check.missingNumbers.length > 0) return;
      const before = readCells(path).map(({ outputs }) => outputs);
      await runAlone(granary, path);
      expect(readCells(path).map(({ outputs }) => outputs)).toEqual(before);
    }),
    { numRuns: repetitions(60) },
  );
  expect(new Set(verdicts)).toEqual(new Set(["current", "stale"]));

  async function take(step: Step, path: string, session: ReturnType<Runtime["session"]>, fresh: () => JsonObject) {
    const count = readCells(path).length;
    if (step.do === "run") {
      const within = (index: number) => index % Math.max(count, 1);
      if (count === 0) return;
      const options = { from: step.from && within(step.from), cells: step.cells?.map(within) };
      if (step.sameKernel) await runNotebook(session, path, options);
      else await runAlone(granary, path, options);
      return;
    }
    edit(path, (cells) => {
      const at = Math.min(step.at, cells.length - 1);
      const cell = cells[at];
      if (step.do === "move") return cell === undefined ? cells : cells.toSpliced(at, 1).toSpliced(step.to, 0, cell);
      if (step.do === "insert") return cells.toSpliced(step.at, 0, fresh());
      if (cell === undefined) return cells;
      if (step.do === "delete") return cells.toSpliced(at, 1);
      if (step.do === "markdown") return cells.with(at, asMarkdown(cell));
      if (step.do === "clear") return cells.with(at, cell.cell_type === "code" ? cleared(cell) : cell);
      if (step.do === "skip") return cells.with(at, tagged(cell, "skip-execution"));
      return cells.with(at, { ...cell, source: fresh().source as string });
    });
  }
});
