import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { runNotebook } from "../../../src/execute/run-notebook.ts";
import { editNotebookFile } from "../../../src/notebook/file/edit-notebook-file.ts";
import { type BrowserPage, newTab, noBrowser, oneBrowserForAll, waitUntil } from "./browser.ts";
import { storedCell, writeNotebook } from "./notebook-files.ts";
import { openPage } from "./open-page.ts";

oneBrowserForAll();
const page = await openPage();
const agent = page.runtime.session("agent", { owner: "claude", label: "claude" });
await agent.run("def load_rows(path, *, limit=10):\n    'Loads rows.'\n    return [path] * limit").result;
const { sessions } = (await page.rest<{ sessions: readonly { id: string }[] }>("GET", "sessions")).body;
const session = sessions[0]?.id ?? "";
const write = (name: string, cells: readonly object[]): string => writeNotebook(page.folder, name, cells);
const sourcesIn = (path: string): readonly string[] =>
  JSON.parse(readFileSync(path, "utf8")).cells.map(({ source }: { source: string | string[] }) =>
    [source].flat().join(""),
  );
const fileHas = async (path: string, text: string): Promise<void> => {
  while (!readFileSync(path, "utf8").includes(text)) await new Promise((resolve) => setTimeout(resolve, 20));
};

describe.skipIf(noBrowser !== null)("a cell of a notebook", () => {
  const opened: { readonly tab: BrowserPage; readonly problems: string[] }[] = [];
  const open = async (name: string, ready = ".notebook-cell"): Promise<BrowserPage> => {
    const browser = await newTab();
    opened.push(browser);
    await browser.tab.goto(page.address());
    await browser.tab.waitForSelector(".session-row");
    const address = `#/notebook/${encodeURIComponent(session)}/${encodeURIComponent(name)}`;
    await browser.tab.evaluate(`location.hash = ${JSON.stringify(address)}`);
    await browser.tab.waitForSelector(ready);
    return browser.tab;
  };
  const focusCell = (tab: BrowserPage, id: string): Promise<unknown> =>
    tab.evaluate(`document.querySelector("#notebook-cell-${id}").focus()`);
  const edit = async (tab: BrowserPage, id: string): Promise<void> => {
    await focusCell(tab, id);
    await tab.keyboard.press("Enter");
    await tab.waitForSelector(`#notebook-cell-${id} .cm-content`);
  };
  const isAt = (tab: BrowserPage, id: string): Promise<void> =>
    waitUntil(tab, `document.activeElement.id === "notebook-cell-${id}"`);

  afterEach(async () => {
    for (const { tab, problems } of opened.splice(0)) {
      await tab.goto("about:blank");
      expect(problems.filter((problem) => !problem.includes("409"))).toEqual([]);
    }
  });

  test("has an editor that knows the kernel's names, and is left, run and reopened with the keyboard alone", async () => {
    const path = write("keys.ipynb", [storedCell("a", "rows = 1"), storedCell("b", "2 + 3")]);
    const tab = await open("keys.ipynb");
    const heights = (): Promise<string> =>
      tab.evaluate(`[...document.querySelectorAll(".notebook-cell")].map((cell) => cell.offsetHeight).join()`);
    const before = await heights();
    await edit(tab, "a");
    expect(await heights()).toBe(before);
    expect(await tab.evaluate("document.querySelectorAll('.cell-editor').length")).toBe(1);
    expect(await tab.getAttribute("#notebook-cell-a .cm-content", "aria-label")).toBe("Code of the cell");

    await tab.keyboard.press("Control+A");
    await tab.keyboard.insertText("rows = loa");
    await tab.keyboard.press("Control+Space");
    await tab.waitForSelector(".cm-tooltip-autocomplete li:has-text('load_rows')");
    await tab.keyboard.press("Tab");
    await tab.keyboard.type("(");
    await tab.waitForSelector(".signature:has-text('limit=10')");
    // The first Escape is for the signature, the second for the cell.
    await tab.keyboard.press("Escape");
    await tab.waitForSelector(".signature", { state: "detached" });
    await tab.keyboard.type("'x', limit=2");
    await tab.keyboard.press("Escape");
    await isAt(tab, "a");
    await fileHas(path, "rows = load_rows('x', limit=2)");

    await edit(tab, "b");
    await tab.keyboard.press("Control+A");
    await tab.keyboard.type("len(rows)");
    await focusCell(tab, "a");
    await tab.keyboard.press("Shift+Enter");
    await isAt(tab, "b");
    await tab.keyboard.press("Control+Enter");
    await tab.waitForSelector("#notebook-cell-b .output:has-text('2')");
    await isAt(tab, "b");
    await edit(tab, "b");
    await tab.keyboard.press("Alt+Enter");
    await waitUntil(tab, "document.querySelectorAll('.notebook-cell').length === 3");
    await tab.waitForSelector(".notebook-cell:last-child .cm-content");
    expect(sourcesIn(path)).toEqual(["rows = load_rows('x', limit=2)", "len(rows)", ""]);
  });

  test("puts the cursor where the reader clicked, and follows the file while the reader has not typed", async () => {
    const lines = "first = 1\nsecond = 2\nthird = 3";
    const path = write("click.ipynb", [storedCell("a", lines), storedCell("b", lines)]);
    const tab = await open("click.ipynb");
    await tab.click("#notebook-cell-b .code .hl-number >> nth=1");
    await tab.waitForSelector("#notebook-cell-b .cm-content");
    await tab.keyboard.type("7");
    await tab.click("#notebook-cell-a .code");
    await tab.waitForSelector("#notebook-cell-a .cm-content");
    await waitUntil(tab, "document.querySelectorAll('.cell-editor').length === 1");
    while (sourcesIn(path)[1] === lines) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(sourcesIn(path)[1]).toMatch(/^first = 1\nsecond = (27|72)\nthird = 3$/);
    await editNotebookFile(path, [{ action: "edit", cell: "a", content: "first = 1\nsecond = 2\nthird = 4" }]);
    await tab.waitForSelector("#notebook-cell-a .cm-content:has-text('third = 4')");
    await tab.keyboard.press("Control+Home");
    await tab.keyboard.type("# ");
    await tab.keyboard.press("Escape");
    await fileHas(path, "# first");
    expect(sourcesIn(path)[0]).toBe("# first = 1\nsecond = 2\nthird = 4");
  });

  test("shows the run of an agent before the file has it: the running cell, its output, the waiting ones", async () => {
    const wait =
      "import time, pathlib\nfor step in range(9999):\n    print('step', step)\n    time.sleep(0.02)\n    if pathlib.Path('go').exists(): break";
    const path = write("live.ipynb", [storedCell("a", wait), storedCell("b", "name = input('Name? ')\nname")]);
    const before = readFileSync(path, "utf8");
    const tab = await open("live.ipynb");
    const run = runNotebook(agent, path, { answer: () => new Promise(() => {}) });
    await tab.waitForSelector("#notebook-cell-a.running .output:has-text('step 9')");
    await tab.waitForSelector("#notebook-cell-a .by:has-text('claude')");
    await tab.waitForSelector("#notebook-cell-b.queued");
    expect(readFileSync(path, "utf8")).toBe(before);
    writeFileSync(join(page.folder, "go"), "");
    await tab.waitForSelector("#notebook-cell-a.changed");
    await tab.fill("#notebook-cell-b .question input", "Ada");
    await tab.keyboard.press("Enter");
    expect((await run).status).toBe("ok");
    await tab.waitForSelector("#notebook-cell-b .output:has-text('Ada')");
    await waitUntil(tab, "document.querySelectorAll('.running, .queued').length === 0");
  });

  test("is the same in two tabs; a deleted one comes back with its outputs", async () => {
    const outputs = [{ output_type: "stream", name: "stdout", text: ["kept\n"] }];
    const path = write("two.ipynb", [storedCell("a", "1"), storedCell("b", "2", { outputs }), storedCell("c", "3")]);
    const before = readFileSync(path, "utf8");
    const one = await open("two.ipynb");
    const two = await open("two.ipynb");
    await focusCell(one, "b");
    await one.keyboard.press("d");
    await one.keyboard.press("d");
    await waitUntil(two, "document.querySelectorAll('.notebook-cell').length === 2");
    await isAt(one, "c");
    await one.waitForSelector(".message-bar button:has-text('Undo')");
    await one.keyboard.press("z");
    await two.waitForSelector("#notebook-cell-b .output:has-text('kept')");
    expect(readFileSync(path, "utf8")).toBe(before);
    await edit(one, "a");
    await one.keyboard.type("0");
    await one.keyboard.press("Escape");
    await two.waitForSelector("#notebook-cell-a.changed .code:has-text('10')");
  });

  test("of Markdown shows attached pictures, and no script of its text runs", async () => {
    const attachments = {
      "dot.png": {
        "image/png": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      },
    };
    const source =
      "![dot](attachment:dot.png) ![gone](attachment:gone.png)\n\n<script>document.title = 'hacked'</script>\n<img src=x onerror=\"document.title='hacked'\">";
    write("pictures.ipynb", [{ ...storedCell("a", source, { type: "markdown" }), attachments }]);
    const tab = await open("pictures.ipynb", "#notebook-cell-a img");
    await waitUntil(tab, "document.querySelector('#notebook-cell-a img').naturalWidth === 1");
    expect(await tab.evaluate("document.querySelectorAll('#notebook-cell-a img').length")).toBe(1);
    expect(await tab.evaluate("document.title")).not.toBe("hacked");
  });

  test("begins without variables after a restart, which the reader confirms for the agent as well", async () => {
    write("restart.ipynb", [storedCell("a", "'load_rows' in globals()")]);
    const tab = await open("restart.ipynb");
    const said: string[] = [];
    tab.on("dialog", ((dialog: { message(): string; accept(): Promise<void> }) => {
      said.push(dialog.message());
      void dialog.accept();
    }) as never);
    await tab.click("button:has-text('Restart…')");
    await tab.waitForSelector(".message-bar p:has-text('Python was restarted')");
    expect(said).toEqual([expect.stringContaining("variables are lost"), expect.stringContaining("claude")]);
    await tab.click("button:has-text('Run all')");
    await tab.waitForSelector("#notebook-cell-a .output:has-text('False')");
  });

  test("of a broken file is not shown: a sentence says what is wrong with it", async () => {
    writeFileSync(join(page.folder, "broken.ipynb"), '{"cells": [ {"cell_type": ');
    await open("broken.ipynb", ".problem:has-text('not valid JSON at line 1')");
  });
});
