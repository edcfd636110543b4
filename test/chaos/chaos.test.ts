import { appendFileSync, writeSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { environment } from "../environment/pythons.ts";
import { violations } from "./checks.ts";
import type { Entry } from "./log.ts";
import { programFor } from "./program.ts";
import { runProgram } from "./run-program.ts";
import { type WorldName, worlds } from "./worlds.ts";

/** In `npm test`, the same few faults each time; `npm run chaos` sets the others. */
const { GRANARY_CHAOS_SEED: seed = "21", GRANARY_CHAOS_LOG: logFile, GRANARY_CHAOS_WORLD: chosen } = process.env;
const steps: Partial<Record<WorldName, number>> = stepsFrom(process.env.GRANARY_CHAOS_STEPS ?? '{"warm":3,"hub":3}');

const hasJupyter = !("missing" in environment("main"));
const needsJupyter = (world: WorldName) => world === "zmq" || world === "gateway";

// Processes are found by their environment, which other systems do not show.
describe.skipIf(process.platform !== "linux")(`under attack, with the seed ${seed}`, () => {
  for (const world of worlds) {
    const count = steps[world];
    if (count === undefined || (chosen !== undefined && chosen !== world)) continue;
    const title = `every cell has one true result, and nothing is left over: ${world}, ${count} faults`;
    test.skipIf(needsJupyter(world) && !hasJupyter)(title, { timeout: 6 * 3_600_000 }, async () => {
      const began = performance.now();
      const log = await runProgram(world, programFor(world, Number(seed), count), (soFar) => {
        // Not console.log, which the reporter shows only at the end.
        if (process.env.GRANARY_CHAOS_STEPS !== undefined) writeSync(2, `${world}: ${progress(soFar, count)}\n`);
      });
      if (logFile !== undefined) appendFileSync(logFile, log.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
      if (process.env.GRANARY_CHAOS_STEPS !== undefined) console.log(`${world}: ${summary(log)}`);
      const found = violations(log);
      noteResult(world, log, found, (performance.now() - began) / 1000);
      expect(found, `npm run chaos -- --seed ${seed} --steps ${count} --world ${world}`).toEqual([]);
    });
  }
});

/** For the table of `npm run chaos`. */
function noteResult(world: WorldName, log: readonly Entry[], found: readonly unknown[], seconds: number): void {
  const file = process.env.GRANARY_CHAOS_RESULTS;
  if (file === undefined) return;
  const count = (type: Entry["type"]) => log.filter((entry) => entry.type === type).length;
  const sentences = found.map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
  const result = { world, executions: count("asked"), faults: count("fault"), violations: sentences, seconds };
  appendFileSync(file, `${JSON.stringify(result)}\n`);
}

function stepsFrom(text: string): Partial<Record<WorldName, number>> {
  const given: unknown = JSON.parse(text);
  if (typeof given !== "number") return given as Partial<Record<WorldName, number>>;
  return Object.fromEntries(worlds.map((world) => [world, given]));
}

function progress(log: readonly Entry[], steps: number): string {
  const count = (type: Entry["type"]) => log.filter((entry) => entry.type === type).length;
  return `${count("fault")} of ${steps} faults, ${count("asked")} executions`;
}

/** How many executions ended in which way, and how many faults of each kind there were. */
function summary(log: readonly Entry[]): string {
  const count = new Map<string, number>();
  const add = (name: string) => count.set(name, (count.get(name) ?? 0) + 1);
  for (const entry of log) {
    if (entry.type === "asked") add("executions");
    if (entry.type === "fault") add(entry.fault);
    if (entry.type === "settled") add(entry.code ?? entry.status);
  }
  return [...count].map(([name, times]) => `${name} ${times}`).join(", ");
}
