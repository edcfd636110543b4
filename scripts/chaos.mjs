// Attacks Granary on purpose: npm run chaos -- --seed 7 --steps 100 --world hub
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { inRepository } from "./repository.mjs";

/** 1,030 faults in all, and more than 10,000 executions; a step is one fault. Kernels of Jupyter take a second each. */
const usual = { cold: 255, warm: 255, checkpoints: 255, hub: 165, zmq: 60, gateway: 40 };

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    steps: { type: "string" },
    world: { type: "string" },
    log: { type: "string" },
    help: { type: "boolean" },
  },
});
if (values.help) {
  console.log(`npm run chaos -- [--seed N] [--steps N] [--world ${Object.keys(usual).join("|")}] [--log FILE]
Runs cells with known answers while kernels, gateways and the hub are killed, stopped and starved. A step is one fault.
The same seed makes the same program. --log has what happened, as lines of JSON.`);
  process.exit();
}
const seed = values.seed ?? String(Date.now() % 1_000_000);
const folder = mkdtempSync(join(tmpdir(), "granary-chaos-table-"));
const results = join(folder, "worlds");
const env = {
  ...process.env,
  GRANARY_CHAOS_SEED: seed,
  GRANARY_CHAOS_STEPS: values.steps ?? JSON.stringify(usual),
  GRANARY_CHAOS_RESULTS: results,
  ...(values.world !== undefined && { GRANARY_CHAOS_WORLD: values.world }),
  ...(values.log !== undefined && { GRANARY_CHAOS_LOG: values.log }),
};
const vitest = inRepository("node_modules/vitest/vitest.mjs");
const { status } = spawnSync(process.execPath, [vitest, "run", "test/chaos/chaos.test.ts"], { stdio: "inherit", env });
const wanted = values.world === undefined ? Object.keys(usual) : [values.world];
const isWhole = printTable(wanted, readResults());
rmSync(folder, { recursive: true });
process.exitCode = status === 0 && !isWhole ? 1 : (status ?? 1);

/**
 * A line for each world that has ended.
 * @returns {{ world: string, executions: number, faults: number, violations: string[], seconds: number }[]}
 */
function readResults() {
  try {
    return readFileSync(results, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  } catch {
    return [];
  }
}

/**
 * @param {readonly string[]} wanted
 * @param {ReturnType<typeof readResults>} found
 * @returns {boolean} whether all worlds have ended
 */
function printTable(wanted, found) {
  const sum = (/** @type {(world: typeof found[number]) => number} */ of) =>
    found.reduce((all, one) => all + of(one), 0);
  const row = (/** @type {readonly (string | number)[]} */ cells) =>
    console.log(cells.map((cell, at) => (at === 0 ? String(cell).padEnd(12) : String(cell).padStart(11))).join(""));
  console.log(`\nseed ${seed}`);
  row(["world", "executions", "faults", "violations", "minutes"]);
  for (const world of wanted) {
    const one = found.find((result) => result.world === world);
    if (one === undefined) row([world, "not ended"]);
    else row([world, one.executions, one.faults, one.violations.length, (one.seconds / 60).toFixed(1)]);
  }
  const minutes = sum(({ seconds }) => seconds) / 60;
  row([
    "all",
    sum((one) => one.executions),
    sum((one) => one.faults),
    sum((one) => one.violations.length),
    minutes.toFixed(1),
  ]);
  for (const { world, violations } of found) for (const violation of violations) console.log(`${world}: ${violation}`);
  return found.length >= wanted.length;
}
