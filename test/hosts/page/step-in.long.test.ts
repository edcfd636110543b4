import { describe, expect, test } from "vitest";
import { newTab, noBrowser, typeCode, waitUntil } from "./browser.ts";
import { openPage } from "./open-page.ts";

describe.skipIf(noBrowser !== null)("one steps in", () => {
  test("with an editor that knows the variables of the session", async () => {
    const page = await openPage();
    const agent = page.runtime.session("etl", { owner: "claude", label: "claude" });
    await agent.run("def load_rows(path, *, limit=10):\n    'Loads rows.'\n    return []\nfirst_cell = 1").result;
    const { tab, problems } = await newTab();
    await tab.goto(page.address());
    await tab.click(".session-row");
    await typeCode(tab, "x = loa");
    await tab.keyboard.press("Control+Space");
    await tab.waitForSelector(".cm-tooltip-autocomplete li:has-text('load_rows')");
    await tab.keyboard.press("Tab");
    await tab.keyboard.type("(");
    await tab.waitForSelector(".signature:has-text('limit=10')");
    if (process.env.SHOTS) await tab.screenshot({ path: `${process.env.SHOTS}/editor.png` });
    await tab.keyboard.press("Escape");
    await tab.waitForSelector(".signature", { state: "detached" });
    await tab.keyboard.type("'a'");
    await tab.keyboard.press("Shift+Enter");
    await tab.waitForSelector(".cell:has-text(\"x = load_rows('a')\")");

    await tab.keyboard.press("ArrowUp");
    await waitUntil(
      tab,
      "document.querySelector('.composer .editor > div').shadowRoot.querySelector('.cm-content').textContent.includes(\"load_rows('a')\")",
    );
    await tab.keyboard.press("ArrowUp");
    await waitUntil(
      tab,
      "document.querySelector('.composer .editor > div').shadowRoot.querySelector('.cm-content').textContent.includes('first_cell')",
    );
    expect(problems).toEqual([]);
  });

  test("with the variables, the stack and earlier states at hand", async () => {
    const page = await openPage({ GRANARY_PYTHON_CHECKPOINTS: "auto" });
    const agent = page.runtime.session("etl", { owner: "claude", label: "claude" });
    await agent.run("rows = [{'city': 'Ulm', 'size': 9}, {'city': 'Bonn', 'size': 33}]\nname = 'Ada'").result;
    const { tab, problems } = await newTab();
    tab.on("dialog", ((dialog: { type(): string; accept(text?: string): Promise<void>; message(): string }) => {
      said.push(dialog.message());
      void dialog.accept(dialog.type() === "prompt" ? (answers.shift() ?? "") : undefined);
    }) as never);
    const [said, answers] = [[] as string[], ["etl.ipynb", "variant"]];
    await tab.setViewportSize({ width: 1500, height: 1000 });
    await tab.goto(page.address());
    await tab.click(".session-row");
    await tab.click("button:has-text('Variables')");
    await tab.waitForSelector(".variables :text('Ada')");
    await tab.click(".variables button:has-text('rows')");
    await tab.waitForSelector(".panel .data td:has-text('Bonn')");
    if (process.env.SHOTS) await tab.screenshot({ path: `${process.env.SHOTS}/variables.png` });
    await agent.run("rows.append({'city': 'Berlin', 'size': 120})").result;
    await tab.waitForSelector(".panel .data td:has-text('Berlin')");

    const running = agent.run("import time\ntime.sleep(600)");
    await tab.click("button:has-text('Look')");
    await tab.waitForSelector(".look:has-text('time.sleep(600)')");
    await tab.click(".session-head button:has-text('Interrupt')");
    expect((await running.result).status).toBe("cancelled");

    await tab.click("button:has-text('Undo')");
    await tab.waitForSelector(".states li");
    await tab.click(".states li:last-child button:has-text('Restore')");
    await tab.waitForSelector(".panel :text('Restored the variables after cell 1')");
    expect((await agent.run("len(rows)").result).output).toBe("2\n");
    if (process.env.SHOTS) await tab.screenshot({ path: `${process.env.SHOTS}/states.png` });

    await tab.click("button:has-text('Save…')");
    await tab.click("button:has-text('Branch…')");
    await tab.waitForSelector("h1:has-text('variant')");
    expect(said.join("\n")).toMatch(/Saved 4 cells to .*etl\.ipynb/);
    await tab.click("button:has-text('Stop')");
    await tab.waitForSelector("h1:has-text('Sessions')");
    // The panel's question for the rows may meet the next cell, and is refused then.
    expect(problems.filter((problem) => !/^409 .*\/rows$/.test(problem))).toEqual([]);
  });

  test("and reads a long output to its end", async () => {
    const page = await openPage();
    const agent = page.runtime.session("long", { owner: "claude", label: "claude" });
    const { tab, problems } = await newTab();
    await tab.goto(page.address());
    await agent.run("for n in range(60000): print('line', n)").result;
    await tab.click(".session-row");
    await tab.waitForSelector(".omitted:has-text('characters are not shown here')");
    await tab.click("button:has-text('Read the whole output')");
    await tab.click("button:has-text('Last')");
    await tab.waitForSelector(".whole-output .printed:has-text('line 59999')");
    await tab.click("button:has-text('Previous')");
    await tab.waitForSelector(".whole-output .printed:has-text('line 40000')");
    expect(problems).toEqual([]);
  });
});
