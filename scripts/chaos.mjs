// Attacks Granary on purpose: npm run chaos -- --seed 7 --steps 100 --world hub
import { spawnSync } from "node:child_process";
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
const env = {
  ...process.env,
  GRANARY_CHAOS_SEED: values.seed ?? String(Date.now() % 1_000_000),
  GRANARY_CHAOS_STEPS: values.steps ?? JSON.stringify(usual),
  ...(values.world !== undefined && { GRANARY_CHAOS_WORLD: values.world }),
  ...(values.log !== undefined && { GRANARY_CHAOS_LOG: values.log }),
};
const vitest = inRepository("node_modules/vitest/vitest.mjs");
const { status } = spawnSync(process.execPath, [vitest, "run", "test/chaos/chaos.test.ts"], { stdio: "inherit", env });
process.exitCode = status ?? 1;
