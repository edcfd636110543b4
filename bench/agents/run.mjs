// `npm run bench:agents -- [--system NAME] [TASK…]`: what ten tasks cost an agent, with Granary and with its peers.
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildEnvironment } from "../../test/environment/build-environment.mjs";
import { buildNodeEnvironment } from "../../test/environment/build-node-environment.mjs";
import { findPythons } from "../../test/environment/find-pythons.mjs";
import { newestWithWheels } from "../../test/environment/set-up.mjs";
import { describeLoad, describeMachine, pythonEnvironment } from "../setting.mjs";
import { priceOfTools, Recording } from "./recording.mjs";
import { table } from "./report.mjs";
import { datalayer } from "./systems/datalayer.mjs";
import { granary } from "./systems/granary.mjs";
import { tasks } from "./tasks/tasks.mjs";

/** @typedef {import("./task.mjs").System} System */
/** @typedef {import("./task.mjs").Task} Task */
/** @typedef {import("./task.mjs").Verdict} Verdict */
/** @typedef {{ task: string, system: string, recording: Recording, verdict: Verdict }} Outcome */

const systems = [granary, datalayer];
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { system: { type: "string", multiple: true }, show: { type: "boolean", default: false } },
});
const unknown = [
  ...positionals.filter((name) => !Object.hasOwn(tasks, name)),
  ...(values.system ?? []).filter((name) => !systems.some((system) => system.name === name)),
];
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(", ")}. Tasks: ${Object.keys(tasks).join(", ")}.`);
  console.error(`Systems: ${systems.map((system) => system.name).join(", ")}.`);
  process.exit(2);
}

const python = await buildEnvironment("agents", newestWithWheels(await findPythons()));
const { countTokens } = createRequire(join(await buildNodeEnvironment("tokens"), "package.json"))(
  "gpt-tokenizer/encoding/o200k_base",
);
const env = pythonEnvironment();
const chosen = systems.filter((system) => values.system?.includes(system.name) ?? true);

console.log(await describeMachine(python));
for (const system of chosen) console.log(`${system.title(python)}: ${await toolTokens(system)} tokens for its tools`);

/** @type {Outcome[]} */
const outcomes = [];
// Task by task, so that both systems of one line ran on the machine in the same state.
for (const name of positionals.length > 0 ? positionals : Object.keys(tasks)) {
  for (const system of chosen) {
    console.error(`${name}: ${system.name}…`);
    const outcome = await perform(/** @type {Task} */ (tasks[name]), system);
    outcomes.push(outcome);
    const { calls, tokensIn, tokensOut } = outcome.recording;
    console.error(`  ${calls} calls, ${tokensIn} + ${tokensOut} tokens, ${JSON.stringify(outcome.verdict)}`);
  }
}
console.log(`${describeLoad()}\n\n${table(outcomes)}`);

/** @param {System} system */
async function toolTokens(system) {
  return inFolder(system, async (running) => {
    const client = await running.connect();
    const tokens = await priceOfTools(client, countTokens);
    await client.close();
    return tokens;
  });
}

/**
 * @param {Task} task
 * @param {System} system
 * @returns {Promise<Outcome>}
 */
async function perform(task, system) {
  const script = task.scripts[system.name];
  const recording = new Recording(countTokens);
  if (script === undefined) throw new Error(`"${task.title}" has no script for ${system.name}.`);
  const verdict = await inFolder(system, async (running, folder) => {
    task.prepare?.(folder);
    /** @type {import("@modelcontextprotocol/client").Client | undefined} */
    let client;
    try {
      client = await running.connect();
      return await script({
        folder,
        call: (name, args) => recording.call(/** @type {NonNullable<typeof client>} */ (client), name, args),
        async reconnect() {
          await client?.close();
          client = await running.connect();
        },
      });
    } catch (error) {
      return { done: false, isTrue: false, why: error instanceof Error ? error.message : String(error) };
    } finally {
      await client?.close();
    }
  });
  if (values.show) for (const { text } of recording.answers) console.error(`--- ${text.slice(0, 2_000)}`);
  return { task: task.title, system: system.name, recording, verdict };
}

/**
 * @template T
 * @param {System} system
 * @param {(running: import("./task.mjs").RunningSystem, folder: string) => Promise<T>} work
 */
async function inFolder(system, work) {
  const folder = mkdtempSync(join(tmpdir(), "granary-agents-"));
  const running = await system.start({ folder, python, env });
  try {
    return await work(running, folder);
  } finally {
    await running.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
