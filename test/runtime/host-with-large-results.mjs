// A host whose memory is watched. Arguments: the module of the runtime, a folder, the cells to run, as a list in JSON, and
// settings of python, in JSON.
// For each it prints, as JSON on a line, how the cell ended and by how many megabytes the host's memory has peaked higher.
const [runtimeModule, cwd, cells, python = "{}"] = process.argv.slice(2);
const { createRuntime } = await import(String(runtimeModule));
const granary = await createRuntime({
  cwd,
  settings: { artifacts: { maxMegabytes: 4000 }, python: JSON.parse(python) },
});
const session = granary.session("large");
await session.run("kept = 'kept'\nkept").result;
const peak = () => process.resourceUsage().maxRSS / 1000;
for (const cell of JSON.parse(String(cells))) {
  const before = peak();
  const { status, attempts, error, displays, output } = await session.run(cell).result;
  const { output: kept } = await session.run("kept").result;
  /** @type {{ parts: { type: string, bytes?: number, address?: string }[] }[]} */
  const shown = displays;
  const parts = shown.flatMap((display) => display.parts).map(({ type, bytes, address }) => ({ type, bytes, address }));
  const grown = Math.round(peak() - before);
  console.log(JSON.stringify({ status, attempts, error: error?.name, parts, output: output.slice(-120), kept, grown }));
}
await granary[Symbol.asyncDispose]();
