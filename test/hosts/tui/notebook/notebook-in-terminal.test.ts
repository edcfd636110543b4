import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { editNotebook } from "../../../../src/notebook/edit/edit-notebook.ts";
import { updateNotebook } from "../../../../src/notebook/file/update-notebook.ts";
import { notebookFile, shownBy } from "../../../execute/notebook-runs.ts";
import { until } from "../../../kernel/until.ts";
import { keys } from "../../../terminal/keys.ts";
import { FreshTerminal, granaryCommand } from "../fresh-terminal.ts";

/** The built `granary notebook open` in a real terminal. */
async function openInTerminal(cells: readonly string[], options: { readonly rows?: number } = {}) {
  const path = notebookFile(cells);
  const terminal = new FreshTerminal([...granaryCommand, "notebook", "open", path], options);
  await terminal.shows("cell 0 of");
  return { terminal, path };
}

describe("granary notebook open in a real terminal", () => {
  test("a notebook of fifty cells is run, resized during the run, edited, changed by another program, saved and left", async () => {
    const cells = Array.from({ length: 50 }, (_, at) => (at === 0 ? "total = 0" : `total += ${at}\nprint(total)`));
    cells[25] = "x = input('go on? ')";
    const { terminal, path } = await openInTerminal(cells, { rows: 30 });
    terminal.type("R");
    await terminal.shows(/^go on\?/m);
    terminal.resize(60, 20);
    await terminal.shows(/^● busy .* cell 25 .*, 24 waiting$/m);
    terminal.type(keys.enter);
    await until("all is saved", () => (shownBy(path)[49]?.length ?? 0) > 0);
    expect(shownBy(path)[49]).toEqual(["stdout: 1200\n"]);
    await terminal.shows(/^● idle/m);

    const beforeEdit = readFileSync(path, "utf8");
    terminal.type(keys.enter);
    await terminal.shows("Esc done");
    terminal.type("# mine", keys.enter, keys.escape);
    await terminal.shows("not saved");
    await updateNotebook(
      path,
      (notebook) => editNotebook(notebook, [{ action: "edit", cell: 1, content: "# theirs" }]).notebook,
    );
    await terminal.shows(/│ # theirs\n/);
    terminal.type("s");
    await terminal.shows(/Saved notebook-\d+\.ipynb\./);
    const expected = beforeEdit
      .replace('"source": "total = 0"', '"source": "# mine\\ntotal = 0"')
      .replace('"source": "total += 1\\nprint(total)"', '"source": "# theirs"');
    expect(readFileSync(path, "utf8")).toBe(expected);

    terminal.type("q");
    expect(await terminal.exited).toBe(0);
    expect(terminal.isOwnScreen).toBe(false);
  });

  test("a killed kernel is reported, and so is the memory of the next", async () => {
    const { terminal } = await openInTerminal(["import os; os.kill(os.getpid(), 9)", "print('alive')"]);
    terminal.type("r");
    await terminal.shows(/✗ (?:.|\n)*DeadKernelError(?:.|\n)*● ended/);
    terminal.type("r");
    await terminal.shows(/┃ alive\n(?:.|\n)*● idle .* kernel 2 · .* MB$/m);
    terminal.type("q");
    expect(await terminal.exited).toBe(0);
  });

  test("a closed window ends it, and unsaved changes are saved", async () => {
    const { terminal, path } = await openInTerminal(["x = 1"]);
    terminal.type(keys.enter, "# mine", keys.enter, keys.escape);
    await terminal.shows("not saved");
    await terminal.close();
    expect(await terminal.exited).toBe(129);
    expect(readFileSync(path, "utf8")).toContain("# mine");
  });
});
