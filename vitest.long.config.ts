import { readdirSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { everyRun, everyTest } from "./vitest.config.ts";

/** Files of `npm test` that have more variants here: see `test/environment/variants.ts`. */
const withVariants = readdirSync("test", { recursive: true, encoding: "utf8" })
  .map((file) => `test/${file}`)
  .filter((file) => file.endsWith(".test.ts"))
  .filter((file) =>
    /from "[./]+(?:environment\/variants|contract\/parts|\.\/parts)\.ts"/.test(readFileSync(file, "utf8")),
  );

/** `npm run test:long`: what takes minutes, such as the stress tests with many seeds, and every promise on every Python. */
export default defineConfig({
  test: {
    ...everyRun,
    ...everyTest,
    include: ["test/**/*.long.test.ts", ...withVariants],
    env: { ...everyTest.env, GRANARY_TEST_LONG: "1" },
    globalSetup: ["test/environment/run-folder.mjs", "test/environment/set-up-long.mjs"],
    testTimeout: 30 * 60_000,
  },
});
