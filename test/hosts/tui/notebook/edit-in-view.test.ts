import { chmodSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readNotebook } from "../../../../src/notebook/file/read-notebook.ts";
import { folder, notebookText, readCells } from "../../../execute/notebook-runs.ts";
import { until } from "../../../kernel/until.ts";
import { fixture } from "../../../notebook/notebooks.ts";
import { keys } from "../../../terminal/keys.ts";
import { opened } from "./opened.ts";

const sourcesIn = (path: string) => readCells(path).map(({ source }) => [source].flat().join(""));

describe("editing", () => {
  test("changes the source of one cell, and no other byte", async () => {
    const path = join(folder, "exact.ipynb");
    writeFileSync(path, fixture("colab"));
    const before = readFileSync(path, "utf8").split("\n");
    const { terminal, edit } = await opened({ path }, { rows: 40 });
    const index = (await readNotebook(path)).cells.findIndex(({ type }) => type === "code");
    terminal.type(..."j".repeat(index));
    await edit("# new", keys.enter);
    await terminal.shows("not saved");
    terminal.type("s");
    await terminal.shows("Saved exact.ipynb.");
    const after = readFileSync(path, "utf8").split("\n");
    const added = after.filter((line) => !before.includes(line));
    expect(added).toHaveLength(1);
    expect(added[0]).toContain('"# new\\n"');
    expect(after.filter((line) => line !== added[0])).toEqual(before);
  });

  test("keeps the indentation, and Tab adds to it", async () => {
    const { terminal, path, edit } = await opened(["a = 1"]);
    const typed = ["def f():", keys.enter, "return 1", keys.enter, keys.tab, "x", keys.enter];
    await edit(...typed);
    terminal.type("s");
    await terminal.shows("Saved");
    expect(sourcesIn(path)).toEqual(["def f():\n    return 1\n    x\n    a = 1"]);
  });

  test("shows the terminal's cursor where the next character goes", async () => {
    const { terminal } = await opened(["x = 1\n\tif x"]);
    terminal.type(keys.enter, "日本");
    await terminal.shows("┃ 日本x = 1");
    expect(terminal.cursor).toEqual({ row: 2, column: 6 });
    terminal.type(keys.down, keys.end);
    await until("the cursor is at the end", () => terminal.cursor.row === 3 && terminal.cursor.column === 10);
  });

  test("cells are inserted, moved, deleted and changed in type, and each edit can be undone", async () => {
    const { terminal, path, edit } = await opened(["a", "b", "c"]);
    const before = readFileSync(path, "utf8");
    terminal.type("b");
    await edit("new");
    terminal.type("J", "m", "j", "d", "d");
    await terminal.shows(/┃ markdown.*\n┃ new/);
    terminal.type("s");
    await terminal.shows("Saved");
    expect(readCells(path).map(({ cell_type, source }) => `${cell_type} ${source}`)).toEqual([
      "code a",
      "code b",
      "markdown new",
    ]);
    terminal.type("z", "z", "z", "z", "z");
    await terminal.shows("not saved");
    terminal.type("s");
    await terminal.shows("Saved");
    expect(readFileSync(path, "utf8")).toBe(before);
    terminal.type("z");
    await terminal.shows("There is no edit to undo.");
  });

  test("a notebook without cells gets its first one", async () => {
    const { terminal, path, edit } = await opened([]);
    await terminal.shows("No cells yet.");
    terminal.type("a");
    await edit("x = 1");
    terminal.type("s");
    await terminal.shows("Saved");
    expect(sourcesIn(path)).toEqual(["x = 1"]);
  });

  test("in $EDITOR, which gets the terminal and a file with the right ending", async () => {
    const editor = join(folder, "editor.sh");
    writeFileSync(
      editor,
      '#!/bin/sh\ntest "$1" = --wait || exit 9\ncase "$2" in *.py) echo "# edited" >> "$2";; esac\n',
    );
    chmodSync(editor, 0o755);
    const { terminal, path } = await opened(["x = 1"], { env: { EDITOR: `${editor} --wait` } });
    terminal.type("e");
    await terminal.shows("┃ # edited");
    terminal.type("s");
    await terminal.shows("Saved");
    expect(sourcesIn(path)).toEqual(["x = 1\n# edited"]);
  });

  test("in $EDITOR, which is not looked for in the folder of the notebook", async () => {
    const own = mkdtempSync(join(tmpdir(), "granary-own-"));
    for (const [place, said] of [
      [folder, "of the folder"],
      [own, "of the user"],
    ] as const) {
      mkdirSync(join(place, "bin"), { recursive: true });
      writeFileSync(join(place, "bin/granary-ed"), `#!/bin/sh\necho "# ${said}" >> "$1"\n`, { mode: 0o755 });
    }
    const env = { EDITOR: "granary-ed", PATH: `${folder}/bin:${own}/bin:/usr/bin:/bin` };
    const { terminal } = await opened(["x = 1"], { env });
    terminal.type("e");
    await terminal.shows("┃ # of the user");
    rmSync(own, { recursive: true });
  });

  test("an editor that fails leaves the cell unchanged", async () => {
    const { terminal } = await opened(["x = 1"], { env: { EDITOR: "false" } });
    terminal.type("e");
    await terminal.shows("false ended with exit code 1; the cell is unchanged.");
    expect(terminal.screen).not.toContain("not saved");
  });
});

describe("leaving", () => {
  test("just leaves when everything is saved", async () => {
    const { terminal, left } = await opened(["x = 1"]);
    terminal.type("q");
    await left;
    expect(terminal.isOpen).toBe(false);
    await until("the terminal is as it was", () => !terminal.isOwnScreen);
  });

  test("asks about unsaved changes", async () => {
    const { terminal, left, text, edit, pressEscape } = await opened(["x = 1"]);
    await edit("y = 2", keys.enter);
    terminal.type("q");
    await terminal.shows(/Save the changes to .*\? y yes, n no, Esc cancel/);
    await pressEscape();
    terminal.type("q");
    await terminal.shows("Save the changes");
    expect(text()).not.toContain("y = 2");
    terminal.type("y");
    await left;
    expect(text()).toContain("y = 2");
  });

  test("continues when the file cannot be written, and reports that nothing is lost yet", async () => {
    const disk = join(folder, "disk");
    const path = join(disk, "note.ipynb");
    mkdirSync(disk);
    writeFileSync(path, notebookText(["x = 1"]));
    const { terminal, left, text, edit } = await opened({ path });
    renameSync(disk, `${disk}-away`);
    await edit("y = 2", keys.enter);
    terminal.type("q");
    await terminal.shows("Save the changes");
    terminal.type("y");
    await terminal.shows(
      /Not saved; the changes are kept here until you leave\. s tries again\..*\n?.*cannot be written/,
    );
    renameSync(`${disk}-away`, disk);
    terminal.type("s");
    await terminal.shows("Saved");
    terminal.type("q");
    await left;
    expect(text()).toContain("y = 2");
  });

  test("with n writes nothing", async () => {
    const { terminal, left, text } = await opened(["x = 1"]);
    const before = text();
    terminal.type("d", "d", "q", "n");
    await left;
    expect(text()).toBe(before);
  });

  test("when the view cannot ask, typed changes are saved", async () => {
    const { terminal, left, text, stop } = await opened(["x = 1"]);
    terminal.type(keys.enter, "y = 2", keys.enter);
    stop.abort();
    await left;
    expect(text()).toContain("y = 2");
  });
});
