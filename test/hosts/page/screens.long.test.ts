import { beforeAll, describe, expect, test } from "vitest";
import { type BrowserPage, newTab, noBrowser, oneBrowserForAll } from "./browser.ts";
import { openPage } from "./open-page.ts";
import { places, showcase } from "./showcase.ts";

oneBrowserForAll();
const page = await openPage();
const session = await showcase(page);
const widths = { phone: 390, tablet: 820, wide: 1440 } as const;
const { notebooks: _, ...shown } = places(session);

/** `SHOTS=folder` keeps the pictures: those in docs/screens were made this way. */
describe.skipIf(noBrowser !== null)("the page fits", () => {
  let tab: BrowserPage;
  beforeAll(async () => {
    ({ tab } = await newTab());
    await tab.goto(page.address());
    await tab.waitForSelector(".session-row");
  });

  describe.each(Object.entries(widths))("on a %s screen", (size, width) => {
    test.each(Object.entries(shown))("with the view of the %s", async (name, { address, ready }) => {
      await tab.setViewportSize({ width, height: size === "phone" ? 844 : 900 });
      for (const colorScheme of ["light", "dark"] as const) {
        await tab.emulateMedia({ colorScheme });
        await tab.evaluate(`location.hash = ${JSON.stringify(address)}`);
        await tab.waitForSelector(ready);
        await tab.evaluate("scrollTo(0, 0)");
        expect(await tab.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
        // The folder of the test is of no interest.
        await tab.evaluate(
          `for (const node of document.querySelectorAll(".folder")) node.textContent = node.textContent.replace(${JSON.stringify(page.folder)}, "~/cities")`,
        );
        if (process.env.SHOTS)
          await tab.screenshot({ path: `${process.env.SHOTS}/page-${name}-${size}-${colorScheme}.png` });
      }
    });
  });
});
