// `npm run bench -- [--quick] [--python PATH] [ROW…]`: docs/benchmarks.md explains the rows.
import { parseArgs } from "node:util";
import { Jupyter } from "./jupyter.mjs";
import { table } from "./report.mjs";
import { checkpoints } from "./rows/checkpoints.mjs";
import { clientMemory } from "./rows/client-memory.mjs";
import { coldStart } from "./rows/cold-start.mjs";
import { commandLine } from "./rows/command-line.mjs";
import { firstPaint } from "./rows/first-paint.mjs";
import { hub } from "./rows/hub.mjs";
import { idleMemory } from "./rows/idle-memory.mjs";
import { interruptToResult } from "./rows/interrupt.mjs";
import { jupyterDoor } from "./rows/jupyter-door.mjs";
import { jupyterKernels } from "./rows/jupyter-kernels.mjs";
import { notebooks } from "./rows/notebooks.mjs";
import { printing } from "./rows/printing.mjs";
import { sandbox } from "./rows/sandbox.mjs";
import { sessions } from "./rows/sessions.mjs";
import { sink } from "./rows/sink.mjs";
import { trivialCell } from "./rows/trivial-cell.mjs";
import { warmStart } from "./rows/warm-start.mjs";
import { describeLoad, describeMachine, findPython, pythonEnvironment } from "./setting.mjs";

/** @type {Record<string, (setting: import("./setting.mjs").Setting) => Promise<import("./report.mjs").Row[]>>} */
const groups = {
  "cold-start": coldStart,
  "warm-start": warmStart,
  checkpoints,
  "trivial-cell": trivialCell,
  sandbox,
  sessions,
  printing,
  sink,
  notebooks,
  "client-memory": clientMemory,
  interrupt: interruptToResult,
  "idle-memory": idleMemory,
  "command-line": commandLine,
  hub,
  "first-paint": firstPaint,
  "jupyter-kernels": jupyterKernels,
  "jupyter-door": jupyterDoor,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: "boolean", default: false }, python: { type: "string" }, "no-peer": { type: "boolean" } },
});
const unknown = positionals.filter((name) => !Object.hasOwn(groups, name));
if (unknown.length > 0) {
  console.error(`There is no row ${unknown.join(", ")}. Rows: ${Object.keys(groups).join(", ")}.`);
  process.exit(2);
}

const { python, withoutPeer } = values.python
  ? { python: values.python, withoutPeer: "another interpreter was asked for" }
  : await findPython();
const env = pythonEnvironment();
const jupyter = withoutPeer || values["no-peer"] ? undefined : new Jupyter({ python, env });
console.log(await describeMachine(python));
console.log(jupyter ? await jupyter.versions() : `without jupyter_client: ${withoutPeer ?? "not wanted"}`);
await jupyter?.start();

const rows = [];
for (const name of positionals.length > 0 ? positionals : Object.keys(groups)) {
  console.error(`measuring ${name}…`);
  const measure = /** @type {(typeof groups)[string]} */ (groups[name]);
  rows.push(...(await measure({ python, env, quick: values.quick, jupyter })));
}
await jupyter?.end();
console.log(`${describeLoad()}\n\n${table(rows)}`);
