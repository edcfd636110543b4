// A host that has run out of file descriptors. Arguments: the module of the runtime, a folder, how many are left. It
// prints what became of a cell that needed a new kernel then, and of a session that was idle.
import { closeSync, openSync } from "node:fs";

const [runtimeModule, cwd, left] = process.argv.slice(2);
const { createRuntime } = await import(String(runtimeModule));
const granary = await createRuntime({ cwd });
for (const id of ["idle", "idle too"]) await granary.session(id).run("x = 1").result;
const files = openAll();
for (const file of files.splice(-Number(left))) closeSync(file);
const { status, output, failure } = await granary.session("new").run("print('it runs')").result;
for (const file of files) closeSync(file);
const { ledger } = await granary.session("idle").run("1").result;
await granary.close();
console.log(JSON.stringify({ status, output, failure: failure?.message, idle: ledger }));

function openAll() {
  const opened = [];
  try {
    for (;;) opened.push(openSync("/dev/null", "r"));
  } catch {
    return opened;
  }
}
