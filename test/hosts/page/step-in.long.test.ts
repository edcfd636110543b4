import { describe, expect, test } from "vitest";
import { newTab, noBrowser, typeCode } from "./browser.ts";
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
    await tab.waitForFunction(
      "document.querySelector('.composer .editor > div').shadowRoot.querySelector('.cm-content').textContent.includes(\"load_rows('a')\")",
    );
    await tab.keyboard.press("ArrowUp");
    await tab.waitForFunction(
      "document.querySelector('.composer .editor > div').shadowRoot.querySelector('.cm-content').textContent.includes('first_cell')",
    );
    expect(problems).toEqual([]);
  });
});
