import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { nodeEnvironment } from "../../environment/nodes.ts";
import { type BrowserPage, newTab, noBrowser, oneBrowserForAll } from "./browser.ts";
import { openPage } from "./open-page.ts";
import { places, showcase } from "./showcase.ts";

oneBrowserForAll();
const environment = nodeEnvironment("browser");
const page = await openPage();
const session = await showcase(page);

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

describe.skipIf(noBrowser !== null)("axe finds no violation", () => {
  let tab: BrowserPage;
  beforeAll(async () => {
    ({ tab } = await newTab());
    await tab.setViewportSize({ width: 1200, height: 2400 });
    await tab.goto(page.address());
    await tab.waitForSelector(".session-row");
    const folder = "folder" in environment ? environment.folder : "";
    const file = createRequire(join(folder, "package.json")).resolve("axe-core/axe.min.js");
    // As an evaluation, which the content policy does not see.
    await tab.evaluate(`${readFileSync(file, "utf8")}; undefined`);
  });

  for (const [name, { address, ready }] of Object.entries(places(session))) {
    test.each(["light", "dark"] as const)(`in ${name}, %s`, async (colorScheme) => {
      await tab.emulateMedia({ colorScheme });
      await tab.evaluate(`location.hash = ${JSON.stringify(address)}`);
      await tab.waitForSelector(ready);
      const { violations } = await tab.evaluate<{ violations: readonly Violation[] }>(
        "axe.run(document, { iframes: false })",
      );
      const said = violations.flatMap(({ id, nodes }) =>
        nodes.map((node) => `${id}: ${node.html}\n${node.failureSummary}`),
      );
      expect(said).toEqual([]);
    });
  }
});
