import { describe, expect, test } from "vitest";
import { newTab, noBrowser, waitUntil } from "./browser.ts";
import { openPage } from "./open-page.ts";

describe.skipIf(noBrowser !== null)("a reader", () => {
  test("follows the output at the end of the page, and is left alone further up", async () => {
    const page = await openPage();
    const agent = page.runtime.session("train", { owner: "claude", label: "claude" });
    for (let cell = 0; cell < 8; cell++) await agent.run("for n in range(30): print('row', n)").result;
    const { tab, problems } = await newTab();
    await tab.setViewportSize({ width: 1000, height: 700 });
    await tab.goto(page.address());
    await tab.click(".session-row");
    const isAtEnd = "document.documentElement.scrollHeight - scrollY - innerHeight < 60";
    await waitUntil(tab, `document.querySelectorAll('.cell').length === 8 && scrollY > 500 && ${isAtEnd}`);
    await agent.run("for n in range(30): print('more', n)").result;
    await waitUntil(tab, `document.querySelectorAll('.cell').length === 9 && ${isAtEnd}`);

    await tab.evaluate("scrollTo(0, 300)");
    await tab.waitForSelector(".to-end");
    await agent.run("for n in range(30): print('later', n)").result;
    await waitUntil(tab, "document.querySelectorAll('.cell').length === 10");
    expect(await tab.evaluate<number>("scrollY")).toBe(300);
    if (process.env.SHOTS) {
      await tab.emulateMedia({ colorScheme: "dark" });
      await tab.screenshot({ path: `${process.env.SHOTS}/dark.png` });
      await tab.setViewportSize({ width: 390, height: 800 });
      await tab.screenshot({ path: `${process.env.SHOTS}/phone.png` });
      await tab.setViewportSize({ width: 1000, height: 700 });
    }
    await tab.click(".to-end");
    await waitUntil(tab, isAtEnd);
    await tab.waitForSelector(".to-end", { state: "detached" });

    const flood = "import time\nfor n in range(400):\n    print('flood', n)\n    time.sleep(0.002)";
    await agent.run(flood).result;
    await waitUntil(
      tab,
      "(box => box !== undefined && box.scrollHeight > box.clientHeight && box.scrollHeight - box.scrollTop - box.clientHeight < 30)([...document.querySelectorAll('.output.text')].at(-1))",
    );
    expect(await tab.evaluate<number>("[...document.querySelectorAll('.output.text')].at(-1).tabIndex")).toBe(0);
    expect(problems).toEqual([]);
  });

  test("learns that the session has ended, and that an address was used before", async () => {
    const page = await openPage();
    const agent = page.runtime.session("short", { owner: "claude", label: "claude" });
    await agent.run("1").result;
    const { tab } = await newTab();
    await tab.goto(page.address());
    await tab.click(".session-row");
    await tab.waitForSelector(".cell");
    const { body } = await page.rest<{ sessions: readonly { id: string }[] }>("GET", "sessions");
    await page.rest("POST", `sessions/${body.sessions[0]?.id}/stop`);
    await tab.waitForSelector(":text('This session has ended')");

    const used = page.address();
    const first = await newTab();
    await first.tab.goto(used);
    await first.tab.waitForSelector("h1:has-text('Sessions')");
    const second = await newTab();
    await second.tab.goto(used);
    await second.tab.waitForSelector(":text('granary page')");
    expect(await second.tab.evaluate<number>("sessionStorage.length")).toBe(0);
  });
});
