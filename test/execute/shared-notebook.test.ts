import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { NotebookProgress } from "../../src/execute/notebook/notebook-run.ts";
import { runNotebook } from "../../src/execute/run-notebook.ts";
import type { NotebookEdit } from "../../src/notebook/edit/edit-action.ts";
import { editNotebook } from "../../src/notebook/edit/edit-notebook.ts";
import { updateNotebook } from "../../src/notebook/file/update-notebook.ts";
import { until } from "../kernel/until.ts";
import { idOf, notebookFile, readCells, runtime, shownBy } from "./notebook-runs.ts";

/** Does something when a cell has ended; the next one waits in Python until it is done. */
function afterCell(index: number, action: () => unknown) {
  return (step: NotebookProgress): void => {
    if (step.type === "cell-ends" && step.cell.index === index) void action();
  };
}

function editBy(path: string, ...edits: NotebookEdit[]): Promise<unknown> {
  return updateNotebook(path, (notebook) => editNotebook(notebook, edits).notebook);
}

/** A cell that continues when the file exists. */
const waitFor = (file: string) =>
  `import os, time\nwhile not os.path.exists(${JSON.stringify(file)}): time.sleep(0.01)\nprint("went on")`;

describe("a notebook that others save while it runs", () => {
  test("gets the outputs in the same cells of what they saved", async () => {
    await using granary = await runtime();
    const path = notebookFile(["print(0)", "", "print(2)"]);
    const signal = `${path}.edited`;
    await editBy(path, { action: "edit", cell: 1, content: waitFor(signal) });
    const onProgress = afterCell(0, async () => {
      await editBy(
        path,
        { action: "insert", at: 0, content: "# Theirs", cellType: "markdown" },
        { action: "move", cell: idOf(2), to: 1 },
      );
      writeFileSync(signal, "");
    });
    const run = await runNotebook(granary.session(), path, { onProgress });
    expect(run.cells.map(({ stored }) => stored)).toEqual(["stored", "stored", "stored"]);
    expect(readCells(path).map(({ id }) => id)).toEqual([expect.any(String), idOf(2), idOf(0), idOf(1)]);
    expect(shownBy(path)).toEqual([[], ["stdout: 2\n"], ["stdout: 0\n"], ["stdout: went on\n"]]);
  });

  test("keeps their source, and not the outputs of another one", async () => {
    await using granary = await runtime();
    const path = notebookFile(["print(0)", "", "print(2)", "print(3)"]);
    const signal = `${path}.edited`;
    await editBy(path, { action: "edit", cell: 1, content: waitFor(signal) });
    const onProgress = afterCell(0, async () => {
      await editBy(
        path,
        { action: "edit", cell: idOf(2), content: "print('another')" },
        { action: "delete", cell: idOf(3) },
      );
      writeFileSync(signal, "");
    });
    const run = await runNotebook(granary.session(), path, { onProgress });
    expect(run.cells.map(({ stored }) => stored)).toEqual(["stored", "stored", "edited", "gone"]);
    expect(shownBy(path)).toEqual([["stdout: 0\n"], ["stdout: went on\n"], []]);
  });

  test("is written again after another program deleted it", async () => {
    await using granary = await runtime();
    const path = notebookFile(["print(0)", "print(1)"]);
    await runNotebook(granary.session(), path, { onProgress: afterCell(0, () => rmSync(path)) });
    expect(shownBy(path)).toEqual([["stdout: 0\n"], ["stdout: 1\n"]]);
  });

  test("may be half written at the moment of a save: the run waits until it is whole", async () => {
    await using granary = await runtime();
    const path = notebookFile(["print(0)", "import time\ntime.sleep(0.2)\nprint(1)", "print(2)"]);
    const theirs = readFileSync(path, "utf8").replace("print(2)", "print('theirs')");
    const writeSlowly = () => {
      writeFileSync(path, theirs.slice(0, 100));
      setTimeout(() => writeFileSync(path, theirs), 600);
    };
    const run = await runNotebook(granary.session(), path, { onProgress: afterCell(0, writeSlowly) });
    expect(run).toMatchObject({ status: "ok", failure: null });
    expect(shownBy(path)).toEqual([["stdout: 0\n"], ["stdout: 1\n"], []]);
    expect(readCells(path)[2]).toMatchObject({ source: "print('theirs')" });
  });

  test("has the changes of both, however often both save", async () => {
    await using granary = await runtime();
    const slow = (n: number) => `import time\ntime.sleep(0.03)\nprint(${n})`;
    const path = notebookFile([0, 1, 2, 3, 4].map(slow));
    let isOver = false;
    const theirs: string[] = [];
    const saver = (async () => {
      for (let n = 0; !isOver; n++) {
        theirs.push(`note ${n}`);
        await editBy(path, { action: "insert", at: 0, cellType: "markdown", content: `note ${n}` });
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    })();
    const run = await runNotebook(granary.session(), path);
    isOver = true;
    await saver;
    expect(run.cells.every(({ stored }) => stored === "stored")).toBe(true);
    const cells = readCells(path);
    const notes = cells.filter(({ cell_type }) => cell_type === "markdown").map(({ source }) => String(source));
    expect(notes.toReversed()).toEqual(theirs);
    expect(shownBy(path).slice(notes.length)).toEqual([0, 1, 2, 3, 4].map((n) => [`stdout: ${n}\n`]));
  });
});

test("every cell that has ended is in the file while the next one runs", async () => {
  await using granary = await runtime();
  const path = notebookFile(["print(0)", "print(1)", ""]);
  const signal = `${path}.seen`;
  await editBy(path, { action: "edit", cell: 2, content: waitFor(signal) });
  const run = runNotebook(granary.session(), path);
  await until(
    "both are saved",
    () => JSON.stringify(shownBy(path).slice(0, 2)) === '[["stdout: 0\\n"],["stdout: 1\\n"]]',
  );
  expect(JSON.parse(readFileSync(path, "utf8")).cells[2].outputs).toEqual([]);
  writeFileSync(signal, "");
  expect(await run).toMatchObject({ status: "ok" });
});
