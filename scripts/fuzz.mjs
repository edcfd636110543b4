// Feeds damaged input to everything that reads bytes or values of others: npm run fuzz -- --cases 100000 --seed 7 --target HTML
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { inRepository } from "./repository.mjs";

const { values } = parseArgs({
  options: {
    cases: { type: "string" },
    seed: { type: "string" },
    target: { type: "string" },
    help: { type: "boolean" },
  },
});
if (values.help) {
  console.log(`npm run fuzz -- [--cases N] [--seed N] [--target NAME]
Damages valid input of every kind. A case that fails names its seed, which repeats it. NAME is a part of a test's title:
HTML, the page, MCP over HTTP, Jupyter door, the hub, tools, a runner, a checkpoint.`);
  process.exit();
}
const env = {
  ...process.env,
  GRANARY_FUZZ_CASES: values.cases ?? "100000",
  GRANARY_FUZZ_SEED: values.seed ?? String(Date.now() % 1_000_000),
};
const chosen = values.target === undefined ? [] : ["-t", values.target];
const args = [inRepository("node_modules/vitest/vitest.mjs"), "run", "test/fuzz", ...chosen];
const { status } = spawnSync(process.execPath, args, {
  stdio: "inherit",
  env,
});
process.exitCode = status ?? 1;
