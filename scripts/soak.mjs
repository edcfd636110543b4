// Works for long with everything that Granary has, and watches memory: npm run soak -- --minutes 60
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { inRepository } from "./repository.mjs";

const { values } = parseArgs({ options: { minutes: { type: "string" }, help: { type: "boolean" } } });
if (values.help) {
  console.log(`npm run soak -- [--minutes N]
Mixed work of agents, commands, pages and Jupyter clients, for 60 minutes. Memory, descriptors and processes must stay flat.`);
  process.exit();
}
const vitest = inRepository("node_modules/vitest/vitest.mjs");
const args = ["run", "--config", "vitest.long.config.ts", "test/soak/soak.long.test.ts"];
const env = { ...process.env, GRANARY_SOAK_MINUTES: values.minutes ?? "60" };
const { status } = spawnSync(process.execPath, [vitest, ...args], { stdio: "inherit", env, cwd: inRepository(".") });
process.exitCode = status ?? 1;
