import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { runFolder } from "./test/environment/run-folder.mjs";

/** What holds for every test, also for the long ones. */
export const everyTest = {
  // What examples and documentation leave behind is not for whoever runs the tests to keep.
  env: {
    GRANARY_HOME: join(tmpdir(), `granary-test-home-${userInfo().username}`),
    TMPDIR: runFolder,
    // No test starts a background process by accident: tests of the hub ask for it, and end it.
    GRANARY_HUB: "never",
  },
  // Real Pythons on a small, busy machine: long enough that only what hangs runs into it.
  testTimeout: 60_000,
  hookTimeout: 60_000,
};

/** What holds for a whole run. */
export const everyRun = {
  // By default one core would stay idle; most of the time is spent waiting for Python anyway.
  maxWorkers: 2,
  reporters: ["default", "./test/environment/progress.ts"],
};

const long = "test/**/*.long.test.ts";

/**
 * Files that change nothing in their process: they share it, and what they import. A process for each costs more than most of
 * these tests. A file with a hook or a folder at the top of a module beside it does not belong here.
 */
const together = [
  "test/{architecture,environment,notebook,python,session,settings,support,tools,view}/**/*.test.ts",
  "test/hosts/{mcp,tui}/*.test.ts",
  "test/output/{html,pictures,terminal,traceback}/*.test.ts",
  "test/output/!(lazy-loading).test.ts",
];

export default defineConfig({
  test: {
    ...everyRun,
    globalSetup: ["test/environment/run-folder.mjs", "test/environment/set-up.mjs"],
    projects: [
      { test: { ...everyTest, name: "together", include: together, exclude: [long], isolate: false } },
      { test: { ...everyTest, name: "apart", include: ["test/**/*.test.ts"], exclude: [long, ...together] } },
    ],
  },
});
