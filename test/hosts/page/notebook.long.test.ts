import { execFile } from "node:child_process";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import { inRepository } from "../../../scripts/repository.mjs";
import { runNotebook } from "../../../src/execute/run-notebook.ts";
import { editNotebookFile } from "../../../src/notebook/file/edit-notebook-file.ts";
import { type BrowserPage, newTab, noBrowser, oneBrowserForAll, waitUntil } from "./browser.ts";
import { storedCell, writeNotebook } from "./notebook-files.ts";
import { openPage } from "./open-page.ts";

oneBrowserForAll();
const page = await openPage();
const agent = page.runtime.session("agent", { owner: "claude", label: "claude" });
await agent.run("x = 1").result;
const { sessions } = (await page.rest<{ sessions: readonly { id: string }[] }>("GET", "sessions")).body;
const session = sessions[0]?.id ?? "";
const write = (name: string, cells: readonly object[]): string => writeNotebook(page.folder, name, cells);
const code = (id: string, source: string): object => storedCell(id, source);

describe.skipIf(noBrowser !== null)("a notebook in the browser", () => {
  const opened: { readonly tab: BrowserPage; readonly problems: string[] }[] = [];
  const open = async (name: string): Promise<BrowserPage> => {
    const browser = await newTab();
    opened.push(browser);
    await browser.tab.goto(page.address());
    await browser.tab.waitForSelector(".session-row");
    await browser.tab.evaluate(
      `location.hash = "#/notebook/${encodeURIComponent(session)}/${encodeURIComponent(name)}"`,
    );
    await browser.tab.waitForSelector(".notebook-cell");
    return browser.tab;
  };
  const shows = (tab: BrowserPage, key: string, text: string): Promise<unknown> =>
    tab.waitForSelector(`#notebook-cell-${key}:has-text(${JSON.stringify(text)})`);
  const sourcesIn = (path: string): readonly string[] =>
    JSON.parse(readFileSync(path, "utf8")).cells.map(({ source }: { source: string | string[] }) =>
      [source].flat().join(""),
    );
  const typeInto = async (tab: BrowserPage, key: string, text: string): Promise<void> => {
    await tab.click(`#notebook-cell-${key} .cell-tools button:has-text("Edit")`);
    await tab.waitForSelector(`#notebook-cell-${key} .cm-content`);
    await tab.keyboard.press("Control+A");
    await tab.keyboard.insertText(text);
  };
  const saved = (tab: BrowserPage): Promise<unknown> =>
    waitUntil(tab, "document.querySelector('.cell-editor') === null");
  const fileHas = async (path: string, text: string): Promise<void> => {
    while (!readFileSync(path, "utf8").includes(text)) await new Promise((resolve) => setTimeout(resolve, 20));
  };

  afterEach(async () => {
    for (const { tab, problems } of opened.splice(0)) {
      // The browser of one process ends with its first closed tab.
      await tab.goto("about:blank");
      expect(problems.filter((problem) => !problem.includes("409"))).toEqual([]);
    }
  });

  test("is found from its session, and changes as the agent edits and runs it", async () => {
    const path = write("agent.ipynb", [code("a", "y = x + 1"), storedCell("b", "# Title", { type: "markdown" })]);
    const browser = await newTab();
    opened.push(browser);
    const { tab } = browser;
    await tab.goto(page.address());
    await tab.click(".session-row");
    await tab.click("a:has-text('Notebooks')");
    await tab.click(".notebook-row:has-text('agent.ipynb')");
    await tab.waitForSelector("#notebook-cell-b h1:has-text('Title')");
    expect(await tab.evaluate("document.querySelectorAll('.notebook-cell.changed').length")).toBe(0);

    await editNotebookFile(path, [
      { action: "edit", cell: "a", content: "y = x + 41\ny" },
      { action: "insert", content: "print('new', y)" },
    ]);
    await tab.waitForSelector("#notebook-cell-a.changed:has-text('x + 41')");
    await tab.waitForSelector(".changed-count:has-text('2 changed')");
    expect(await tab.evaluate("document.querySelector('#notebook-cell-b').classList.contains('changed')")).toBe(false);
    // Seen for a while, the mark goes.
    await waitUntil(tab, "document.querySelectorAll('.notebook-cell.changed').length === 0");

    await runNotebook(agent, path);
    await shows(tab, "a", "42");
    await tab.waitForSelector(".notebook-cell .output:has-text('new 42')");
    await tab.waitForSelector("#notebook-cell-a.changed");
  });

  test("is edited by another process while the page shows it", async () => {
    const path = write("other.ipynb", [code("a", "1"), code("b", "2")]);
    const tab = await open("other.ipynb");
    const edit = ["notebook", "edit", path, "b", "--content", "from_another_process = 1"];
    await promisify(execFile)(inRepository("bin/granary"), edit, { cwd: page.folder });
    await shows(tab, "b", "from_another_process");
  });

  test("is edited and run from the page with the keyboard, with all other bytes unchanged", async () => {
    const path = write("keys.ipynb", [
      code("a", "z = 5"),
      code("b", "z * 2"),
      storedCell("c", "text", { type: "markdown" }),
    ]);
    const before = readFileSync(path, "utf8");
    const tab = await open("keys.ipynb");
    await tab.evaluate("document.querySelector('#notebook-cell-a').focus()");
    await tab.keyboard.press("Enter");
    await tab.waitForSelector("#notebook-cell-a .cm-content");
    await tab.keyboard.press("End");
    await tab.keyboard.type("0");
    await tab.keyboard.press("Escape");
    await fileHas(path, "z = 50");
    expect(readFileSync(path, "utf8")).toBe(before.replace("z = 5", "z = 50"));
    await tab.keyboard.press("Shift+Enter");
    await tab.keyboard.press("Shift+Enter");
    await shows(tab, "b", "100");
    await fileHas(path, '"100"');
    expect((await agent.run("z").result).output).toBe("50\n");
    expect(await tab.evaluate("document.querySelectorAll('.notebook-cell.changed').length")).toBe(0);

    await waitUntil(tab, "document.activeElement.id === 'notebook-cell-c'");
    await tab.keyboard.press("b");
    await tab.waitForSelector(".cell-editor .cm-content");
    await tab.keyboard.type("inserted = 1");
    await tab.keyboard.press("Escape");
    await fileHas(path, "inserted = 1");
    await tab.keyboard.press("Alt+ArrowUp");
    await waitUntil(tab, "[...document.querySelectorAll('.notebook-cell')].at(-1).id === 'notebook-cell-c'");
    expect(sourcesIn(path)).toEqual(["z = 50", "z * 2", "inserted = 1", "text"]);
    await tab.evaluate("document.querySelector('#notebook-cell-b').focus()");
    await tab.keyboard.press("d");
    await tab.keyboard.press("d");
    await tab.click(".message-bar button:has-text('Undo')");
    await waitUntil(tab, "document.querySelectorAll('.notebook-cell').length === 4");
    expect(sourcesIn(path)).toEqual(["z = 50", "z * 2", "inserted = 1", "text"]);
  });

  test("keeps the edits of both in different cells", async () => {
    const path = write("apart.ipynb", [code("a", "1"), code("b", "2")]);
    const tab = await open("apart.ipynb");
    await typeInto(tab, "a", "mine = 1");
    await editNotebookFile(path, [{ action: "edit", cell: "b", content: "theirs = 2" }]);
    await shows(tab, "b", "theirs = 2");
    expect(await tab.textContent(".cell-editor .cm-content")).toBe("mine = 1");
    await tab.keyboard.press("Escape");
    await fileHas(path, "mine = 1");
    expect(sourcesIn(path)).toEqual(["mine = 1", "theirs = 2"]);
  });

  test.each([
    ["Keep mine", ["mine = 1", "2"], "theirs = 1"],
    ["Take theirs", ["theirs = 1", "2"], "mine = 1"],
    ["Keep both", ["theirs = 1", "mine = 1", "2"], null],
  ] as const)("shows both versions of a cell side by side: %s", async (choice, after, undone) => {
    const path = write("same.ipynb", [code("a", "1"), code("b", "2")]);
    const tab = await open("same.ipynb");
    await typeInto(tab, "a", "mine = 1");
    await editNotebookFile(path, [{ action: "edit", cell: "a", content: "theirs = 1" }]);
    await tab.waitForSelector(".overtaken:has-text('Another program has changed')");
    await tab.keyboard.press("Escape");
    await tab.waitForSelector(".conflict .versions section:has-text('theirs = 1')");
    await tab.waitForSelector(".conflict .versions section:has-text('mine = 1')");
    expect(sourcesIn(path)).toEqual(["theirs = 1", "mine = 1", "2"]);
    await tab.click(`.conflict button:has-text("${choice}")`);
    await waitUntil(tab, "document.querySelector('.conflict') === null");
    await waitUntil(tab, `document.querySelectorAll('.notebook-cell').length === ${after.length}`);
    expect(sourcesIn(path)).toEqual(after);
    if (undone === null) return;
    await tab.click(".message-bar button:has-text('Undo')");
    await fileHas(path, undone);
  });

  test("is edited from the page while the agent runs it, and loses no output of other cells", async () => {
    const wait = "import time, pathlib\nwhile not pathlib.Path('go').exists(): time.sleep(0.01)\nprint('slow is done')";
    const path = write("while.ipynb", [code("a", wait), code("b", "print('b ran')"), code("c", "c = 1")]);
    const tab = await open("while.ipynb");
    const run = runNotebook(agent, path);
    await typeInto(tab, "c", "print('c of the page')");
    await tab.keyboard.press("Escape");
    await fileHas(path, "c of the page");
    writeFileSync(join(page.folder, "go"), "");
    expect((await run).status).toBe("ok");
    await shows(tab, "a", "slow is done");
    await shows(tab, "b", "b ran");
    await shows(tab, "c", "c of the page");
    expect(sourcesIn(path)[2]).toBe("print('c of the page')");
  });

  test("runs all, answers input() and interrupts", async () => {
    const path = write("run.ipynb", [
      code("a", "name = input('Your name? ')"),
      code("b", "print('hello', name)"),
      code("c", "import time\nwhile True:\n    print('tick')\n    time.sleep(0.05)"),
    ]);
    const tab = await open("run.ipynb");
    await tab.click("button:has-text('Run all')");
    await tab.fill(".question input", "Ada");
    await tab.keyboard.press("Enter");
    await shows(tab, "b", "hello Ada");
    await shows(tab, "c", "tick");
    await tab.click(".session-head button:has-text('Interrupt')");
    await tab.waitForSelector("#notebook-cell-c .error-title:has-text('KeyboardInterrupt')");
    expect(readFileSync(path, "utf8")).toContain("hello Ada");
    await tab.click("button:has-text('Clear outputs')");
    await waitUntil(tab, "document.querySelectorAll('.notebook-cell .output').length === 0");
    expect(readFileSync(path, "utf8")).not.toContain("hello Ada");
  });

  test("stays on the page while its file is half written, replaced and deleted", async () => {
    const path = write("file.ipynb", [code("a", "first")]);
    const whole = readFileSync(path, "utf8");
    const tab = await open("file.ipynb");
    writeFileSync(path, whole.slice(0, 30));
    await tab.waitForSelector(".file-state:has-text('cannot be read')");
    await shows(tab, "a", "first");
    writeFileSync(`${path}.new`, whole.replace("first", "second"));
    renameSync(`${path}.new`, path);
    await shows(tab, "a", "second");
    await waitUntil(tab, "document.querySelector('.file-state') === null");
    rmSync(path);
    await tab.waitForSelector(".file-state:has-text('deleted')");
    await tab.click("button:has-text('Save it again')");
    await waitUntil(tab, "document.querySelector('.file-state') === null");
    expect(readFileSync(path, "utf8")).toBe(whole.replace("first", "second"));
  });

  test("with 200 cells and an output of 10 MB can be read and edited", async () => {
    const long = { output_type: "stream", name: "stdout", text: `${"0123456789 ".repeat(900_000)}\nthe end\n` };
    const cells = Array.from({ length: 200 }, (_, index) =>
      storedCell(`n${index}`, `cell_${index} = ${index}`, { outputs: index === 3 ? [long] : [] }),
    );
    const path = write("large.ipynb", cells);
    const before = readFileSync(path, "utf8");
    const tab = await open("large.ipynb");
    await waitUntil(tab, "document.querySelectorAll('.notebook-cell').length === 200");
    await tab.waitForSelector("#notebook-cell-n3 .omitted");
    await typeInto(tab, "n199", "cell_199 = 'edited'");
    await tab.keyboard.press("Escape");
    await saved(tab);
    await fileHas(path, "cell_199 = 'edited'");
    expect(readFileSync(path, "utf8") === before.replace("cell_199 = 199", "cell_199 = 'edited'")).toBe(true);
  });

  test("outside of the folder is refused with a sentence", async () => {
    const { tab, problems } = await newTab();
    await tab.goto(page.address());
    await tab.waitForSelector(".session-row");
    for (const path of ["../secret.ipynb", "/etc/x.ipynb", "none.ipynb"]) {
      await tab.evaluate(`location.hash = "#/notebook/${encodeURIComponent(session)}/${encodeURIComponent(path)}"`);
      await tab.waitForSelector(
        path === "none.ipynb" ? ".problem:has-text('no notebook')" : ".problem:has-text('no other folder')",
      );
    }
    expect(problems.filter((problem) => !problem.includes("409"))).toEqual([]);
    await tab.goto("about:blank");
  });
});
