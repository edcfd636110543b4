import { readdirSync } from "node:fs";
import { expect } from "vitest";
import type { Kernel } from "../../../src/kernel/kernel.ts";
import { signalGroup } from "../../../src/support/process/process-group.ts";
import { newestPython } from "../../environment/pythons.ts";
import { isRunning } from "../../kernel/processes.ts";
import { startRunner } from "../../kernel/runner/start-runner.ts";
import { until } from "../../kernel/until.ts";
import { createPool, sessionKey } from "./pool.ts";

const names = ["a", "b", "c", "d"];

/** Runs many cells over 4 sessions while Pythons are killed at random, and looks for what is left in the end. */
export async function stress(cells: number, { killEvery }: { readonly killEvery: number }): Promise<void> {
  // A first round, so that files that the process opens only once are open.
  await round(names.length, Number.POSITIVE_INFINITY);
  const before = openFiles();
  const { results, pids } = await round(cells, killEvery);
  expect(results).toEqual({ settled: cells, wrong: [] });
  await until("no Python is left", () => pids.every((pid) => !isRunning(pid)));
  // One more is the pipe to the shell that waits for the end of this process, from its second second on.
  await until("no file is left open", () => openFiles() <= before + 1);
}

async function round(cells: number, killEvery: number) {
  const living = new Set<Kernel>();
  const pids: number[] = [];
  const pool = createPool(async (signal) => {
    const kernel = await startRunner(newestPython().path, { signal });
    pids.push(kernel.info.pid as number);
    living.add(kernel);
    void kernel.exited.then(() => living.delete(kernel));
    return kernel;
  });
  const wrong: unknown[] = [];
  let settled = 0;
  const runAll = names.map(async (name, offset) => {
    const session = pool.session(sessionKey(name));
    for (let number = offset; number < cells; number += names.length) {
      const { status, output, failure } = await session.run(`print(${number})`).result;
      settled += 1;
      const wasPrinted = status === "ok" && output.endsWith(`${number}\n`);
      const hadBadLuck = failure?.code === "too-many-restarts";
      if (!wasPrinted && !hadBadLuck) wrong.push({ number, status, output, failure });
      if (Math.random() < 1 / killEvery) killOne(living);
    }
  });
  await Promise.all(runAll);
  await pool.close();
  return { results: { settled, wrong }, pids };
}

function killOne(living: ReadonlySet<Kernel>): void {
  const victim = [...living][Math.floor(Math.random() * living.size)];
  if (victim?.info.pid) signalGroup(victim.info.pid, "SIGKILL");
}

function openFiles(): number {
  return readdirSync("/dev/fd").length;
}
