import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/**/*.long.test.ts"],
    globalSetup: "test/environment/set-up.mjs",
    // By default one core would stay idle; most of the time is spent waiting for Python anyway.
    maxWorkers: 2,
    // Real Pythons on a small, busy machine: long enough that only what hangs runs into it.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
