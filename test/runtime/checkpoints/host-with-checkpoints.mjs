// A host with a session that has checkpoints and a branch, which waits for its own death. Arguments: the module of the runtime, a
// folder. It prints the process ids of kernels and copies.
const [runtimeModule, cwd] = process.argv.slice(2);
const { createRuntime } = await import(String(runtimeModule));
const granary = await createRuntime({ cwd, settings: { python: { checkpoints: "always" } } });
const session = granary.session();
for (const code of ["import os", "x = 1", "os.abort()", "x = 2", "x = 3"]) await session.run(code).result;
const branch = await session.fork("branch");
await branch.run("y = 1").result;
const copies = session.checkpoints().map((/** @type {{ pid: number }} */ { pid }) => pid);
console.log(JSON.stringify([session.shared.info.pid, branch.shared.info.pid, ...copies]));
setInterval(() => undefined, 1000);
