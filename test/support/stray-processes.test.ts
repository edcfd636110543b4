import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";
import { readProcFile } from "../../src/support/process/proc-files.ts";
import { endStrayProcesses } from "../../src/support/process/stray-processes.ts";
import { newestPython } from "../environment/pythons.ts";
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

test.skipIf(process.platform !== "linux")(
  "a process that calls gigabytes of its memory its variables costs the search a few megabytes",
  async () => {
    const hoarder = spawn(newestPython().path, [inRepository("test/support/much_environment.py"), String(2 ** 30)]);
    const marked = spawn("sleep", ["62"], { env: { GRANARY_TEST_MARK: "hoarder" }, detached: true, stdio: "ignore" });
    try {
      await once(hoarder.stdout, "data");
      const environment = readProcFile(`/proc/${hoarder.pid}/environ`);
      expect(environment.length).toBe(8 * 2 ** 20);
      await endStrayProcesses("GRANARY_TEST_MARK", "hoarder");
      await until("the marked one has ended", () => !isRunning(marked.pid as number));
    } finally {
      for (const child of [hoarder, marked]) child.kill("SIGKILL");
    }
  },
);

test.skipIf(process.platform !== "linux").each([0.003, 0])(
  "a process that forks and ends every %d seconds is found",
  async (pause) => {
    const value = `comet-${process.pid}-${pause}`;
    const folder = mkdtempSync(join(tmpdir(), "granary-comet-"));
    const beat = join(folder, "beat");
    try {
      const args = [inRepository("test/support/comet.py"), beat, String(pause)];
      const env = { ...process.env, GRANARY_TEST_MARK: value };
      spawn(newestPython().path, args, { env, detached: true, stdio: "ignore" });
      await until("it runs", () => existsSync(beat) && readFileSync(beat, "utf8") !== "");
      await endStrayProcesses("GRANARY_TEST_MARK", value);
      rmSync(beat, { force: true });
      await sleep(200);
      expect(existsSync(beat)).toBe(false);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

test("the search waits for one that begins, and not for threads of the system, ended processes and empty environments", async () => {
  const begins = spawn("sleep", ["63"], { detached: true, stdio: "ignore" });
  const proc = mkdtempSync(join(tmpdir(), "granary-proc-"));
  const add = (pid: number, environ: string, stat: { state: string; flags: number; environmentEnd: number }) => {
    mkdirSync(join(proc, String(pid)), { recursive: true });
    const between = (count: number) => Array<string>(count).fill("1").join(" ");
    const fields = `${stat.state} ${between(5)} ${stat.flags} ${between(41)} ${stat.environmentEnd} 0`;
    writeFileSync(join(proc, String(pid), "stat"), `${pid} (a (strange) name) ${fields}\n`);
    writeFileSync(join(proc, String(pid), "environ"), environ);
  };
  const pid = begins.pid as number;
  try {
    add(2 ** 30, "", { state: "S", flags: 0x200040, environmentEnd: 0 });
    add(2 ** 30 + 1, "", { state: "Z", flags: 0x40, environmentEnd: 0 });
    add(2 ** 30 + 2, "", { state: "R", flags: 0x44, environmentEnd: 0 });
    add(2 ** 30 + 3, "", { state: "S", flags: 0x40, environmentEnd: 140_000 });
    await endStrayProcesses("GRANARY_TEST_MARK", "x", proc);
    add(pid, "", { state: "R", flags: 0x40, environmentEnd: 0 });
    let isOver = false;
    const search = endStrayProcesses("GRANARY_TEST_MARK", "x", proc).then(() => {
      isOver = true;
    });
    await sleep(20);
    expect([isOver, isRunning(pid)]).toEqual([false, true]);
    add(pid, "HOME=/\0GRANARY_TEST_MARK=x\0", { state: "R", flags: 0x40, environmentEnd: 140_000 });
    await until("it has ended", () => !isRunning(pid));
    rmSync(join(proc, String(pid)), { recursive: true });
    await search;
  } finally {
    begins.kill("SIGKILL");
    rmSync(proc, { recursive: true, force: true });
  }
});
