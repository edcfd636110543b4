import { describe, expect, test } from "vitest";
import { newTab, noBrowser, typeCode } from "./browser.ts";
import { openPage } from "./open-page.ts";

describe.skipIf(noBrowser !== null)("in a browser", () => {
  test("one sees the agent's session, its output as it comes, and runs a cell in it", async () => {
    const page = await openPage();
    const agent = page.runtime.session("etl", { owner: "claude", label: "claude" });
    await agent.run("rows = [3, 4, 5]\nprint('loaded', len(rows), 'rows')").result;
    const { tab, problems } = await newTab();
    await tab.goto(page.address());

    await tab.waitForSelector(".session-row:has-text('etl')");
    expect(tab.url()).not.toContain("code=");
    await tab.click(".session-row");
    await tab.waitForSelector(".output:has-text('loaded 3 rows')");
    expect(await tab.textContent(".cell .by")).toBe("claude");

    const running = agent.run(
      "print('\\x1b[32mfirst\\x1b[0m')\ninput_ = rows\nimport time\nwhile not globals().get('go'): time.sleep(0.01); go = len(rows) > 3\nprint('last')\n1/0",
    );
    await tab.waitForSelector(".ansi-2:has-text('first')");
    await running.interrupt();
    await tab.waitForSelector(".error-title:has-text('KeyboardInterrupt')");

    await typeCode(tab, "rows.append(6)\nprint('now', len(rows))");
    await tab.keyboard.press("Shift+Enter");
    await tab.waitForSelector(".output:has-text('now 4')");
    expect((await agent.run("rows").result).output).toBe("[3, 4, 5, 6]\n");

    await typeCode(tab, "name = input('Name? ')\nprint('hello', name)");
    await tab.click("button.primary");
    await tab.fill(".question input", "Ada");
    await tab.keyboard.press("Enter");
    await tab.waitForSelector(".output:has-text('hello Ada')");

    await tab.reload();
    await tab.waitForSelector(".output:has-text('hello Ada')");
    expect(problems).toEqual([]);
  });
});
