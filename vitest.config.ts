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
  "test/output/artifacts/artifact-id.test.ts",
  "test/execute/{cell-outputs,check-notebook,comparable-outputs,merge-run,no-op-edit,run-outputs}.test.ts",
  "test/bridge/{loopback-server,waiting}.test.ts",
  "test/shell/{compose-bash,portrait,shell-snapshot,sourceable-parts}.test.ts",
  "test/hosts/jupyter/{messages,security}.test.ts",
  "test/hosts/page/{security,weight}.test.ts",
  "test/hosts/mcp/http/*.test.ts",
  "test/hosts/tui/{editor,history}/*.test.ts",
  "test/hosts/tui/notebook/{merge-theirs,viewport}.test.ts",
  "test/kernel/gateway/{offered-kernels,rest}.test.ts",
  "test/kernel/jupyter/{jupyter-kernel,large-message,preparation}.test.ts",
  "test/kernel/zmq/{multipart,zmtp/*}.test.ts",
  "test/kernel/runner/{cell-files,event-loop,ipython-shell,questions,stack,start,variables}.test.ts",
  "test/kernel/runner/wire/{journal,line-splitter,mark-scanner,ordered-output,trace,transcripts}.test.ts",
  "test/runtime/{arguments,background,choose-backend,execute-python,preload-memory,sessions,sharing}.test.ts",
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
