// A host with several sessions, which waits for its own death. Arguments: the module of the runtime, a folder, the cell
// that each session runs, as a list in JSON. It prints the process ids of the kernels when all cells have said "ready".
const [runtimeModule, cwd, cells] = process.argv.slice(2);
const { createRuntime } = await import(String(runtimeModule));
const granary = await createRuntime({ cwd });
/** @type {string[]} */
const codes = JSON.parse(String(cells));
const kernels = codes.map(async (cell, index) => {
  const session = granary.session(`session-${index}`);
  for await (const event of session.run(cell)) if (event.type === "text" && event.text.includes("ready")) break;
  return session.shared.info.pid;
});
console.log(JSON.stringify(await Promise.all(kernels)));
setInterval(() => undefined, 1000);
