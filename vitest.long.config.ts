import { defineConfig } from "vitest/config";
import usual from "./vitest.config.ts";

/** `npm run test:long`: what takes minutes, such as the stress tests with many seeds. */
export default defineConfig({
  test: {
    ...usual.test,
    include: ["test/**/*.long.test.ts"],
    exclude: [],
    globalSetup: "test/environment/set-up-long.mjs",
    testTimeout: 30 * 60_000,
  },
});
