import { describe, expect, test } from "vitest";
import { type BrowserPage, newTabs, noBrowser, typeCode, waitUntil } from "./browser.ts";
import { openPage } from "./open-page.ts";

/** Headless tabs are all visible, so this one says that it is not. */
const setHidden = (tab: BrowserPage, isHidden: boolean): Promise<void> =>
  tab.evaluate(
    `Object.defineProperty(document, "hidden", { configurable: true, value: ${isHidden} }); document.dispatchEvent(new Event("visibilitychange"))`,
  );

/** Numbers of the streams that tabs hold. */
const streams = (tab: BrowserPage): Promise<number> =>
  tab.evaluate("navigator.locks.query().then(({ held }) => held.length)");

describe.skipIf(noBrowser !== null)("a browser with ten tabs", () => {
  test("shows new output in every one of them, and runs cells from each", async () => {
    const page = await openPage();
    const agent = page.runtime.session("shared", { owner: "claude", label: "claude" });
    await agent.run("total = 0").result;
    const { body } = await page.rest<{ sessions: readonly { id: string }[] }>("GET", "sessions");
    const tabs = await newTabs(10);
    for (const tab of tabs) {
      await tab.goto(page.address());
      await tab.waitForSelector(".session-row");
      await tab.evaluate(`location.hash = "#/session/${body.sessions[0]?.id}"`);
      await tab.waitForSelector(".cell");
    }
    const first = tabs[0] as BrowserPage;
    expect(await streams(first)).toBe(4);

    await agent.run("print('for all')").result;
    for (const tab of tabs) await tab.waitForSelector(".output:has-text('for all')");
    for (const [index, tab] of tabs.entries()) {
      await typeCode(tab, `total += 1; print('from', ${index})`);
      await tab.keyboard.press("Shift+Enter");
      await tab.waitForSelector(`.output:has-text('from ${index}')`);
    }
    expect((await agent.run("total").result).output).toBe("10\n");

    // Hidden tabs hand their streams to the visible ones, and catch up when they are looked at.
    for (const tab of tabs.slice(0, 8)) await setHidden(tab, true);
    await waitUntil(first, "navigator.locks.query().then(({ held }) => held.length <= 4)");
    await agent.run("print('while hidden')").result;
    for (const tab of tabs.slice(8)) await tab.waitForSelector(".output:has-text('while hidden')");
    for (const tab of tabs.slice(0, 8)) {
      await setHidden(tab, false);
      await tab.waitForSelector(".output:has-text('while hidden')");
    }
    for (const tab of tabs.slice(1)) await tab.close();
    await waitUntil(first, "navigator.locks.query().then(({ held }) => held.length === 1)");
  });
});
