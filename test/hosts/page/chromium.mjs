import { createRequire } from "node:module";
import { join } from "node:path";

/** Arguments of the packed Chromium that a user's browser does not have: without them, origins are kept apart. */
const unsafe = [
  ...["--disable-web-security", "--allow-running-insecure-content", "--disable-site-isolation-trials"],
  ...["--single-process", "--no-zygote", "--disable-features"],
];

/**
 * A Chromium of its own, for tests and scripts.
 * @param {string} folder the npm packages "browser" of test/environment
 * @returns {Promise<any>} playwright's browser
 */
export async function launchChromium(folder) {
  const requireFrom = createRequire(join(folder, "package.json"));
  const { chromium } = requireFrom("playwright-core");
  const { default: packed } = await import(requireFrom.resolve("@sparticuz/chromium"));
  const args = /** @type {readonly string[]} */ (packed.args).filter((arg) => !unsafe.includes(arg.replace(/=.*/, "")));
  const executablePath = await packed.executablePath();
  // Another test may still be unpacking the same program.
  for (let tries = 0; ; tries++) {
    try {
      return await chromium.launch({ executablePath, args });
    } catch (error) {
      if (tries > 100 || !String(error).includes("ETXTBSY")) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}
