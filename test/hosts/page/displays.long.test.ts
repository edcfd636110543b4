import { describe, expect, test } from "vitest";
import { environment } from "../../environment/pythons.ts";
import { newTab, noBrowser } from "./browser.ts";
import { openPage } from "./open-page.ts";

const main = environment("main");
const python = "python" in main ? main.python : "";

describe.skipIf(noBrowser !== null || python === "")("the page shows", () => {
  test("data frames, Markdown, LaTeX, JSON, HTML, tracebacks and progress, each in its own way", async () => {
    const page = await openPage();
    const agent = page.runtime.session("forms", { owner: "claude", label: "claude" });
    const run = async (code: string) => (await agent.run(code).result).status;
    const { tab, problems } = await newTab();
    await tab.setViewportSize({ width: 1200, height: 3200 });
    await tab.goto(page.address());
    await run("from IPython.display import display, HTML, Markdown, Latex, JSON");
    await tab.click(".session-row");
    await tab.waitForSelector(".cell");

    await run(`display(HTML('''<table class="dataframe"><thead><tr><th></th><th>city</th><th>size</th></tr></thead><tbody>
      <tr><th>0</th><td>Ulm</td><td>9</td></tr><tr><th>1</th><td>Bonn</td><td>33</td></tr><tr><th>2</th><td>Berlin</td><td>120</td></tr></tbody></table>'''))`);
    await tab.waitForSelector("table.data");
    await tab.click("button.sort:has-text('size')");
    await tab.click("button.sort:has-text('size')");
    expect(await tab.textContent("table.data tbody tr td")).toBe("Berlin");

    await run(
      "display(Markdown('# Report\\n\\n*fine* <img src=x onerror=alert(1)> <script>alert(2)</script>\\n\\n| a | b |\\n|---|---|\\n| 1 | 2 |'))",
    );
    await tab.waitForSelector(".markdown h1:has-text('Report')");
    await run("display(Latex(r'$\\\\frac{a}{b}$'))");
    await tab.waitForSelector(".latex:has-text('frac')");
    await run("display(JSON({'name': 'Ada', 'rows': [1, 2, {'deep': {'er': True}}]}))");
    await tab.waitForSelector(".json-key:has-text('rows')");
    await tab.click(".json summary:has-text('rows')");

    await run(
      'display(HTML(\'<h2>Framed</h2><p id=x>waiting</p><script>document.getElementById("x").textContent = "ran in " + origin</script>\'))',
    );
    await tab.waitForSelector("iframe.html-frame");
    const inside = await tab.frames().at(-1)?.textContent("h2 + p");
    expect(inside).toBe("ran in null");

    await run("import json\ndef load(text): return json.loads(text)\nload('{')");
    await tab.waitForSelector(".error-title:has-text('JSONDecodeError')");
    expect(await tab.textContent(".folded summary")).toMatch(/frames? in Python/);

    const long = agent.run(
      "import time\nfor step in progress(range(100), 'train'):\n    time.sleep(0.4 if step < 2 else 600)",
    );
    await tab.waitForSelector(".progress progress");
    await tab.waitForSelector(".progress:has-text('2 of 100')");
    expect(await tab.textContent(".progress")).toMatch(/train: 2 of 100, .*left/);
    await long.interrupt();
    await tab.waitForSelector(".cell.cancelled");
    if (process.env.SHOTS) await tab.screenshot({ path: `${process.env.SHOTS}/displays.png`, fullPage: true });
    expect(problems).toEqual([]);
  });
});
