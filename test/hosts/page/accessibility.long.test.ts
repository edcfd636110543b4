import { beforeAll, describe, expect, test } from "vitest";
import { editNotebookFile } from "../../../src/notebook/file/edit-notebook-file.ts";
import { loadAxe, violationsIn } from "./axe.ts";
import { type BrowserPage, newTab, noBrowser, oneBrowserForAll, typeCode, waitUntil } from "./browser.ts";
import { storedCell, writeNotebook } from "./notebook-files.ts";
import { openPage } from "./open-page.ts";
import { places, showcase } from "./showcase.ts";

oneBrowserForAll();
const page = await openPage({ GRANARY_PYTHON_CHECKPOINTS: "auto" });
const session = await showcase(page);
const agent = page.runtime.session("sales", { owner: "claude", label: "claude" });

async function openTab(place: string): Promise<BrowserPage> {
  const { tab } = await newTab();
  await tab.setViewportSize({ width: 1200, height: 2400 });
  await tab.goto(page.address());
  await tab.waitForSelector(".session-row");
  await loadAxe(tab);
  await tab.evaluate(`location.hash = ${JSON.stringify(place)}`);
  return tab;
}

async function expectNoViolation(tab: BrowserPage): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await tab.emulateMedia({ colorScheme });
    expect(await violationsIn(tab), colorScheme).toEqual([]);
  }
}

describe.skipIf(noBrowser !== null)("axe finds no violation", () => {
  let tab: BrowserPage;
  beforeAll(async () => {
    tab = await openTab("#/");
  });

  test.each(Object.entries(places(session)))("in %s, light and dark", async (_, { address, ready }) => {
    await tab.evaluate(`location.hash = ${JSON.stringify(address)}`);
    await tab.waitForSelector(ready);
    await expectNoViolation(tab);
  });

  test("with the variables, the rows of one, the stack of a running cell, and earlier states", async () => {
    await agent.run("table = [{'city': 'Ulm', 'size': n} for n in range(300)]").result;
    const tab = await openTab(`#/session/${session}`);
    await tab.click("button:has-text('Variables')");
    await tab.waitForSelector(".variables button:has-text('table')");
    await expectNoViolation(tab);
    await tab.click(".variables button:has-text('table')");
    await tab.waitForSelector(".panel .data td:has-text('Ulm')");
    await tab.click(".panel th button:has-text('size')");
    await tab.waitForSelector(".panel th[aria-sort='ascending']");
    await expectNoViolation(tab);
    const running = agent.run("import time\ntime.sleep(600)");
    await tab.click("button:has-text('Look')");
    await tab.waitForSelector(".look:has-text('time.sleep(600)')");
    await expectNoViolation(tab);
    await running.interrupt();
    await running.result;
    await tab.click("button:has-text('Undo')");
    await tab.waitForSelector(".states li");
    await expectNoViolation(tab);
  });

  test("with the editor, its completions and a signature, a question, and a long output", async () => {
    const tab = await openTab(`#/session/${session}`);
    await tab.waitForSelector(".cell");
    await typeCode(tab, "sort");
    await tab.keyboard.press("Control+Space");
    await tab.waitForSelector(".cm-tooltip-autocomplete li:has-text('sorted')");
    await expectNoViolation(tab);
    await tab.keyboard.press("Tab");
    await tab.keyboard.type("(");
    await tab.waitForSelector(".signature");
    await expectNoViolation(tab);
    await tab.keyboard.press("Escape");
    await tab.keyboard.press("Control+a");
    await tab.keyboard.insertText("name = input('Name? ')");
    await tab.keyboard.press("Shift+Enter");
    await tab.waitForSelector(".question input");
    await expectNoViolation(tab);
    await tab.fill(".question input", "Ada");
    await tab.keyboard.press("Enter");
    await agent.run("for n in range(60000): print('line', n)").result;
    await tab.click("button:has-text('Read the whole output')");
    await tab.waitForSelector(".whole-output .printed");
    await expectNoViolation(tab);
  });

  test("in a notebook whose cell is edited, and whose cell has two versions", async () => {
    const path = writeNotebook(page.folder, "two.ipynb", [storedCell("a", "1"), storedCell("b", "2")]);
    const tab = await openTab(`#/notebook/${session}/two.ipynb`);
    await tab.waitForSelector("#notebook-cell-a .code");
    await tab.click("#notebook-cell-a .code");
    await tab.waitForSelector("#notebook-cell-a :is(textarea, .cm-content)");
    await tab.keyboard.insertText("mine = 1\n");
    await expectNoViolation(tab);
    await editNotebookFile(path, [{ action: "edit", cell: "a", content: "theirs = 1" }]);
    await tab.waitForSelector(".overtaken");
    await expectNoViolation(tab);
    await tab.click("#notebook-cell-a :is(textarea, .cm-content)");
    await tab.keyboard.press("Escape");
    await tab.waitForSelector(".conflict .versions");
    await expectNoViolation(tab);
  });
});

/** Presses a key until an element has the focus, as someone without a mouse does. */
async function press(tab: BrowserPage, key: string, wanted: string): Promise<void> {
  const isThere = `document.activeElement?.matches(${JSON.stringify(wanted)}) ?? false`;
  for (let times = 0; !(await tab.evaluate<boolean>(isThere)); times++) {
    if (times > 150) throw new Error(`No ${key} leads to ${wanted}.`);
    await tab.keyboard.press(key);
  }
}

describe.skipIf(noBrowser !== null)("without a mouse", () => {
  test("one finds a session, its variables and their rows, runs a cell, answers it, and opens a notebook", async () => {
    await agent.run("table = [{'city': 'Ulm', 'size': n} for n in range(300)]").result;
    const { tab } = await newTab();
    await tab.goto(page.address());
    await tab.waitForSelector(".session-row");
    await press(tab, "Tab", ".session-row");
    await tab.keyboard.press("Enter");
    await tab.waitForSelector(".cell");
    await press(tab, "Tab", ".panel-choice button");
    await tab.keyboard.press("Enter");
    await tab.waitForSelector(".variables button");
    await press(tab, "Tab", ".variables button.link");
    await tab.keyboard.press("Enter");
    await tab.waitForSelector(".panel .data td");
    await press(tab, "Tab", ".panel th button.sort");
    await tab.keyboard.press("Enter");
    await tab.waitForSelector(".panel th[aria-sort='ascending']");
    await press(tab, "Shift+Tab", ".panel-choice button");
    await tab.keyboard.press("Enter");

    await press(tab, "Tab", ".composer .editor, .composer .editor *");
    await tab.waitForSelector(".composer .cm-content");
    await tab.keyboard.insertText("answer = input('By key? ')\nprint('got', answer)");
    await tab.keyboard.press("Shift+Enter");
    await tab.waitForSelector(".question input");
    await press(tab, "Shift+Tab", ".question input");
    await tab.keyboard.type("yes");
    await tab.keyboard.press("Enter");
    await tab.waitForSelector(".output:has-text('got yes')");

    await press(tab, "Shift+Tab", "a[href*='notebooks']");
    await tab.keyboard.press("Enter");
    await tab.waitForSelector(".notebook-row");
    await press(tab, "Tab", ".notebook-row");
    await tab.keyboard.press("Enter");
    await tab.waitForSelector(".notebook-cell");
    await press(tab, "Tab", ".notebook-cell, .notebook-cell *");
    await waitUntil(tab, "location.hash.includes('.ipynb')");
  });
});
