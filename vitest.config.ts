import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/**/*.long.test.ts"],
    globalSetup: "test/environment/set-up.mjs",
    // What examples and documentation leave behind is not for whoever runs the tests to keep.
    env: { GRANARY_HOME: join(tmpdir(), `granary-test-home-${userInfo().username}`) },
    // By default one core would stay idle; most of the time is spent waiting for Python anyway.
    maxWorkers: 2,
    // Real Pythons on a small, busy machine: long enough that only what hangs runs into it.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
