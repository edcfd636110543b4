// A host that has run out of file descriptors. Arguments: the module of the runtime, a folder, how many are left, and
// whether the other sessions are "idle" or "busy". It prints what became of a cell that needed a new kernel then, of the
// same cell when descriptors were free, and of one of the others.
import { closeSync, existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { openAll } from "../environment/open-all.mjs";

const [runtimeModule, cwd, left, others] = process.argv.slice(2);
const { createRuntime } = await import(String(runtimeModule));
const granary = await createRuntime({ cwd });
for (const id of ["other", "another"]) await granary.session(id).run("x = 1").result;
const sleeping = others === "busy" ? ["other", "another"] : [];
const begun = (/** @type {string} */ id) => join(String(cwd), `begun-${id}`);
const busy = sleeping.map((id) =>
  granary.session(id).run(`import time; open(${JSON.stringify(begun(id))}, "w").close(); time.sleep(600)`),
);
// Their copies for time travel are expected by then, which takes descriptors.
while (!sleeping.every((id) => existsSync(begun(id)))) await setTimeout(10);
const files = openAll();
if (left !== "0") for (const file of files.splice(-Number(left))) closeSync(file);
const short = await granary.session("new").run("print('it runs')").result;
for (const file of files) closeSync(file);
const free = await granary.session("new").run("print('it runs')").result;
await Promise.all(busy.map((execution) => execution.interrupt()));
const { ledger } = await granary.session("other").run("1").result;
await granary.close();
const [whenShort, whenFree] = [short, free].map(({ status, output, failure }) => [status, failure?.code ?? output]);
console.log(JSON.stringify({ whenShort, whenFree, other: ledger }));
