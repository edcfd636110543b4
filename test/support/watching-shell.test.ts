import fs, { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { spawnKernel } from "../../src/kernel/zmq/spawn-kernel.ts";
import { startWatchingShell } from "../../src/support/process/watching-shell.ts";
import { isRunning } from "../kernel/processes.ts";
import { until } from "../kernel/until.ts";

test("the shell that watches for our end runs programs of the system, not those of a project on PATH", async () => {
  const folder = mkdtempSync(join(tmpdir(), "granary-path-"));
  const before = process.env.PATH;
  try {
    writeFileSync(join(folder, "grep"), `#!/bin/sh\necho planted > ${folder}/said\n`);
    chmodSync(join(folder, "grep"), 0o755);
    process.env.PATH = `${folder}:${before}`;
    startWatchingShell(`read _; grep -c . > ${folder}/said < /dev/null; echo over > ${folder}/over`)?.end("\n");
    await until("the shell is over", () => existsSync(join(folder, "over")));
    expect(readFileSync(join(folder, "said"), "utf8")).toBe("0\n");
  } finally {
    process.env.PATH = before;
    rmSync(folder, { recursive: true });
  }
});

test.skipIf(process.platform !== "linux")(
  "a kernel for which no shell could be started is not lost: it runs, and ends when asked",
  async () => {
    const { readdirSync } = fs;
    const noDescriptors = (path: string) => {
      if (path === "/proc/self/fd") throw Object.assign(new Error("EMFILE: too many open files"), { code: "EMFILE" });
      return readdirSync(path);
    };
    const command = { file: "/bin/sleep", args: ["1000"], env: {} };
    const options = { cwd: tmpdir(), interruptMode: "signal", capturesOutput: true } as const;
    let starting: ReturnType<typeof spawnKernel>;
    try {
      Object.assign(fs, { readdirSync: noDescriptors });
      syncBuiltinESMExports();
      expect(startWatchingShell("read _")).toBe(null);
      starting = spawnKernel(command, options);
      await starting;
    } finally {
      Object.assign(fs, { readdirSync });
      syncBuiltinESMExports();
    }
    const kernel = await starting;
    expect(isRunning(kernel.pid)).toBe(true);
    await kernel.terminate();
    await kernel.exited;
    expect(isRunning(kernel.pid)).toBe(false);
  },
);
