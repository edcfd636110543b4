import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { editNotebook } from "../../../../src/notebook/edit/edit-notebook.ts";
import { updateNotebook } from "../../../../src/notebook/file/update-notebook.ts";
import { readCells } from "../../../execute/notebook-runs.ts";
import { until } from "../../../kernel/until.ts";
import { keys } from "../../../terminal/keys.ts";
import { opened } from "./opened.ts";

const sourcesIn = (path: string) => readCells(path).map(({ source }) => [source].flat().join(""));

/** As any other program: reads the file, changes it, writes it. */
function rewriteElsewhere(path: string, cell: number, content: string) {
  return updateNotebook(path, (notebook) => editNotebook(notebook, [{ action: "edit", cell, content }]).notebook);
}

describe("a file that another program saves", () => {
  test("is shown with its new content", async () => {
    const { terminal, path } = await opened(["a = 1", "b = 2"]);
    await rewriteElsewhere(path, 1, "b = 'theirs'");
    await terminal.shows("│ b = 'theirs'");
    await terminal.shows(/notebook-\d+\.ipynb was changed on disk/);
    expect(terminal.screen).not.toContain("not saved");
  });

  test("keeps unsaved edits", async () => {
    const { terminal, path, edit } = await opened(["a = 1", "b = 2"]);
    await edit("a = 'mine'  # ");
    await rewriteElsewhere(path, 1, "b = 'theirs'");
    await terminal.shows("│ b = 'theirs'");
    expect(terminal.screen).toContain("┃ a = 'mine'  # a = 1");
    terminal.type("s");
    await terminal.shows("Saved");
    expect(sourcesIn(path)).toEqual(["a = 'mine'  # a = 1", "b = 'theirs'"]);
  });

  test("while a cell is open in the editor, loses nothing of the typed text", async () => {
    const { terminal, path, pressEscape } = await opened(["a = 1", "b = 2"]);
    terminal.type(keys.enter, "mine # ");
    await terminal.shows("┃ mine # a = 1");
    await rewriteElsewhere(path, 0, "theirs");
    await terminal.shows("was changed on disk");
    await pressEscape();
    await terminal.shows("Another program has changed this cell: your version is a separate cell below.");
    terminal.type("s");
    await terminal.shows("Saved");
    expect(sourcesIn(path)).toEqual(["theirs", "mine # a = 1", "b = 2"]);
  });

  test("is not overwritten when both have changed the same cell", async () => {
    const { terminal, path, edit } = await opened(["a = 1"]);
    await edit("mine # ");
    await rewriteElsewhere(path, 0, "theirs");
    await terminal.shows("both sides, your version is below theirs: cell 1.");
    terminal.type("s");
    await terminal.shows("Saved");
    expect(sourcesIn(path)).toEqual(["theirs", "mine # a = 1"]);
  });

  test("gets the outputs of a cell that ran during the save", async () => {
    const { terminal, path } = await opened(["x = input('go? ')\nprint('ran')", "b = 2"]);
    terminal.type("r");
    await terminal.shows(/^go\?/m);
    await rewriteElsewhere(path, 1, "b = 'theirs'");
    await terminal.shows("b = 'theirs'");
    terminal.type(keys.enter);
    await until("it is saved", () => readFileSync(path, "utf8").includes("ran\\n"));
    expect(sourcesIn(path)[1]).toBe("b = 'theirs'");
  });

  test("and breaks is reported, and left alone until it is valid again", async () => {
    const { terminal, path, text } = await opened(["a = 1"]);
    const whole = text();
    writeFileSync(path, whole.slice(0, 40));
    await terminal.shows("The file has changed and cannot be read:");
    expect(terminal.screen).toContain("┃ a = 1");
    terminal.type("b", "s");
    await terminal.shows(/^(?!The file has changed).*JSON/m);
    expect(text()).toBe(whole.slice(0, 40));
    writeFileSync(path, whole.replace("a = 1", "a = 2"));
    await terminal.shows("│ a = 2");
  });

  test("and deletes comes back with the next save", async () => {
    const { terminal, path } = await opened(["a = 1"]);
    rmSync(path);
    await terminal.shows("was deleted. s writes it again.");
    await terminal.shows("not saved");
    terminal.type("s");
    await terminal.shows("Saved");
    expect(sourcesIn(path)).toEqual(["a = 1"]);
  });
});
