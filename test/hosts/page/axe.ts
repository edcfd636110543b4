import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { nodeEnvironment } from "../../environment/nodes.ts";
import type { BrowserPage } from "./browser.ts";

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Loads axe into the tab. */
export async function loadAxe(tab: BrowserPage): Promise<void> {
  const environment = nodeEnvironment("browser");
  const folder = "folder" in environment ? environment.folder : "";
  const file = createRequire(join(folder, "package.json")).resolve("axe-core/axe.min.js");
  // As an evaluation, which the content policy does not see.
  await tab.evaluate(`${readFileSync(file, "utf8")}; undefined`);
}

/** What axe says against the page as it is, in the theme that is chosen. */
export async function violationsIn(tab: BrowserPage): Promise<readonly string[]> {
  const { violations } = await tab.evaluate<{ violations: readonly Violation[] }>(
    "axe.run(document, { iframes: false })",
  );
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}\n${node.failureSummary}`));
}
