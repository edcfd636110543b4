// A host that may open few files, with more sessions at once than it has files for. Arguments: the module of the runtime,
// a folder, a backend, a cell, how many sessions, how many files are open besides. It prints how the sessions fared, and the
// cell in one more after they had left.
import { openSync } from "node:fs";

const [runtimeModule, cwd, backend, cell, sessions, others] = process.argv.slice(2);
const { createRuntime } = await import(String(runtimeModule));
for (let other = 0; other < Number(others); other++) openSync("/dev/null", "r");
const granary = await createRuntime({
  cwd,
  settings: { python: { maxSessions: Number(sessions), backend, startSeconds: 120 } },
});
const names = Array.from({ length: Number(sessions) }, (_, index) => `session ${index}`);
const results = await Promise.all(names.map((name) => granary.session(name).run("print(6 * 7)").result));
await Promise.all(names.map((name) => granary.session(name).leave()));
const { output, status } = await granary.session("afterwards").run(String(cell)).result;
await granary.close();
const fates = results.map(({ status, output, failure }) => (status === "ok" ? output : (failure?.code ?? status)));
console.log(JSON.stringify({ fates, afterwards: { status, output } }));
