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
  // Every group compiles the sources again without it, and so does every run.
  experimental: { fsModuleCache: true },
  reporters: ["default", "./test/environment/progress.ts"],
};

const all = ["test/**/*.test.ts"];
const long = "test/**/*.long.test.ts";

/**
 * Files that change something in their process, such as its variables or clock, or count its descriptors or modules, or mock
 * a module. All others share a process and what they import: a process for each costs more than most of their tests. So a
 * module beside the tests has no hook at its top; `TMPDIR` is removed after the run.
 */
const apart = [
  "test/{docs,examples,package}.test.ts",
  "test/execute/missing-kernelspec.test.ts",
  "test/hosts/cli/{compiled-core,start-up}.test.ts",
  "test/kernel/**/{bun,contract.*,contract}.test.ts",
  "test/kernel/gateway/shared/*.test.ts",
  "test/kernel/jupyter/handed-files.test.ts",
  "test/kernel/runner/{host-death,left-behind}.test.ts",
  "test/kernel/runner/warm/{ends,fallback}.test.ts",
  "test/output/lazy-loading.test.ts",
  "test/runtime/{exhaustion,large-results,limits,start-up,warm}.test.ts",
  "test/runtime/checkpoints/left-behind.test.ts",
  "test/sandbox/network/proxy-descriptors.test.ts",
];

/**
 * Files that share a process, in groups. A process that starts another copies its table of memory pages, which takes 1 ms
 * at 50 MB and 14 ms at 650 MB, so the memory that tests of `values` leave is in no process that starts thousands.
 */
const values = ["test/{architecture,notebook,output,settings,view}/**/*.test.ts"];
const hosts = ["test/hosts/**/*.test.ts"];
const together = {
  values: { include: values, exclude: [] },
  hosts: { include: hosts, exclude: [] },
  together: { include: all, exclude: [...values, ...hosts] },
};

export default defineConfig({
  test: {
    ...everyRun,
    globalSetup: ["test/environment/run-folder.mjs", "test/environment/set-up.mjs"],
    projects: [
      ...Object.entries(together).map(([name, { include, exclude }]) => ({
        test: { ...everyTest, name, include, exclude: [long, ...apart, ...exclude], isolate: false },
      })),
      { test: { ...everyTest, name: "apart", include: apart, exclude: [long] } },
    ],
  },
});
