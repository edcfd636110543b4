import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { expect } from "vitest";
import type { Kernel } from "../../src/kernel/kernel.ts";
import { signalGroup } from "../../src/support/process/process-group.ts";
import { newestPython } from "../environment/pythons.ts";
import { isRunning } from "../kernel/processes.ts";
import { startRunner } from "../kernel/runner/start-runner.ts";
import { until } from "../kernel/until.ts";
import { createPool } from "./pool/pool.ts";
import { Actors, commands, type Plan, settleAndCompare, type World } from "./pool/pool-model.ts";
import { type PuppetKernel, PuppetKernels, puppetCells } from "./puppet-kernels.ts";

/** Fewer than the sessions of the model, so that they have to make room for each other. */
const places = 2;

/** Drives pools of puppets, which is quick, and lets every start, cell and end take a different time. */
export async function provePuppetPools(numRuns: number): Promise<void> {
  const delays = fc.infiniteStream(fc.integer({ min: 0, max: 3 }));
  await fc.assert(
    fc.asyncProperty(commands(60), delays, async (plan, delay) => {
      const kernels = new PuppetKernels(() => delay.next().value ?? 1);
      const world: World = {
        pool: createPool(kernels.start, { maxSessions: places }),
        cells: puppetCells,
        kill: ({ kernel }) => (kernel as PuppetKernel | null)?.kill(),
        async pass(moments) {
          for (let left = moments; left > 0; left -= 1) await turn();
        },
      };
      await drive(world, plan);
      expect(kernels.most).toBeLessThanOrEqual(places);
      expect(kernels.living.size).toBe(0);
    }),
    { numRuns },
  );
}

/** Drives pools of real Pythons. */
export async function proveRunnerPools(numRuns: number): Promise<void> {
  const { path } = newestPython();
  await fc.assert(
    fc.asyncProperty(commands(25), async (plan) => {
      const started: Kernel[] = [];
      const start = async (signal: AbortSignal): Promise<Kernel> => {
        const kernel = await startRunner(path, { signal });
        started.push(kernel);
        return kernel;
      };
      const world: World = {
        pool: createPool(start, { maxSessions: places }),
        cells: {
          count: "n = globals().get('n', 0) + 1\nprint(n)",
          hang: "import time\nwhile True: time.sleep(1)",
          die: "import os; os._exit(3)",
        },
        kill({ info }) {
          if (info?.pid) signalGroup(info.pid, "SIGKILL");
        },
        pass: (moments) => sleep(moments * 3),
      };
      await drive(world, plan);
      await until("no Python is left", () => started.every(({ info }) => !isRunning(info.pid as number)));
    }),
    // Every retry is as costly as the first try; the failed plan is enough.
    { numRuns, endOnFailure: true },
  );
}

async function drive(world: World, plan: Plan): Promise<void> {
  const actors = new Actors(world);
  await fc.asyncModelRun(() => ({ model: actors.model, real: actors }), plan);
  await settleAndCompare(actors);
}
