import { spawn, spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";
import { isRunning } from "../kernel/processes.ts";
import { until } from "../kernel/until.ts";

test.skipIf(process.platform !== "linux")(
  "a process is found, also by a host that may open fewer files than there are processes",
  async () => {
    const value = `${process.pid}.1`;
    const others = Array.from({ length: 60 }, () => spawn("sleep", ["60"], { stdio: "ignore" }));
    const marked = spawn("sleep", ["61"], {
      env: { ...process.env, GRANARY_TEST_MARK: value },
      detached: true,
      stdio: "ignore",
    });
    try {
      await until("all run", () => [...others, marked].every(({ pid }) => pid !== undefined && isRunning(pid)));
      const module = inRepository("dist/support/process/stray-processes.js");
      const code = `import(${JSON.stringify(module)}).then(({ endStrayProcesses: end }) => end("GRANARY_TEST_MARK", "${value}"))`;
      const { status } = spawnSync("/bin/sh", ["-c", 'ulimit -n 48 && exec "$0" -e "$1"', process.execPath, code]);
      expect(status).toBe(0);
      await until("the marked one has ended", () => !isRunning(marked.pid as number));
      expect(others.every(({ pid }) => isRunning(pid as number))).toBe(true);
    } finally {
      for (const child of [...others, marked]) child.kill("SIGKILL");
    }
  },
);
