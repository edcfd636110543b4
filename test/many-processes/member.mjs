// One of many processes that share everything. Arguments: the shared folder, a name, how many rounds, the backend of its own
// kernel, or "none". It reports each thing that it has done, after it was done.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inRepository } from "../../scripts/repository.mjs";

const [folder = "", name = "", rounds, backend] = process.argv.slice(2);
const { createRuntime } = await import(inRepository("dist/library/index.js"));
const { createToolbox } = await import(inRepository("dist/library/tools.js"));
const { openHubToolbox } = await import(inRepository("dist/hub/client/hub-toolbox.js"));
const { version } = JSON.parse(readFileSync(inRepository("package.json"), "utf8"));
const home = String(process.env.GRANARY_HOME);

const python = backend === "none" ? {} : { backend, startSeconds: 300 };
const runtime = await createRuntime({
  cwd: folder,
  settings: { python },
  artifactsFolder: join(folder, "artifacts"),
  trust: true,
});
const toolbox = await createToolbox({ runtime });
const client = { pid: process.pid, began: null };
const wish = {
  key: name,
  session: name,
  label: name,
  client,
  cwd: folder,
  env: process.env,
  trust: true,
  resultBytes: null,
};
const hub = await openHubToolbox(wish, { home, env: process.env, version });

for (let round = 0; round < Number(rounds); round++) {
  const mark = `${name}-${round}`;
  await act("hub", mark, hub, "python", {
    session: "shared",
    queue: true,
    cells: [{ code: `marks = globals().get("marks", []) + ["${mark}"]` }],
  });
  const cell = { action: "insert", content: `"${mark}"`, cell_type: "code" };
  await act("notebook", mark, toolbox, "notebook", { path: "shared.ipynb", ...cell });
  await act("settings", mark, toolbox, "edit", {
    path: "settings.json",
    edits: [{ old: '"END"', new: `"${mark}", "END"` }],
  });
  if (backend === "none") continue;
  const { truncation, status } = await runtime.session(name).run(`print(("${mark} " * 20 + "\\n") * 2000)`).result;
  if (status === "ok") tell("artifact", mark, truncation.artifact);
}
await toolbox.close();
await hub.close();
await runtime.close();

/** @param {string} what @param {string} mark @param {any} tools @param {string} tool @param {object} input */
async function act(what, mark, tools, tool, input) {
  const { isError, content } = await tools.find(tool).run(input);
  if (isError) tell("refused", mark, `${what}: ${content[0]?.text}`);
  else tell(what, mark);
}

/** @param {string} what @param {string} mark @param {unknown} [more] */
function tell(what, mark, more) {
  process.stdout.write(`${JSON.stringify({ what, mark, more })}\n`);
}
