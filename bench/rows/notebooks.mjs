import { randomBytes } from "node:crypto";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { interleave, median } from "../measure.mjs";
import { startNotebookPeer } from "../peers/ask-python.mjs";
import { showTimes } from "../report.mjs";

/** @typedef {import("../setting.mjs").Setting} Setting */
/** @typedef {(request: object) => Promise<number>} Peer */

// Built, as users get it.
const { editNotebookFile } = /** @type {typeof import("../../src/notebook/file/edit-notebook-file.ts")} */ (
  await fromDist("notebook/file/edit-notebook-file.js")
);
const { runNotebook } = /** @type {typeof import("../../src/execute/run-notebook.ts")} */ (
  await fromDist("execute/run-notebook.js")
);
const { createRuntime } = /** @type {typeof import("../../src/runtime/runtime.ts")} */ (
  await fromDist("runtime/runtime.js")
);

/**
 * Without Jupyter there is nothing to compare with.
 * @param {Setting} setting
 * @returns {Promise<import("../report.mjs").Row[]>}
 */
export async function notebooks(setting) {
  if (setting.jupyter === undefined) return [];
  const folder = mkdtempSync(join(tmpdir(), "granary-bench-notebooks-"));
  const peer = startNotebookPeer(setting);
  try {
    return [
      await editing(
        "edit one cell of a 55 MB notebook: 14,000 cells with short outputs",
        manyCells(),
        folder,
        setting,
        peer.ask,
      ),
      await editing(
        "another: 110 cells, each with a picture, a table and a log",
        fewCells(),
        folder,
        setting,
        peer.ask,
      ),
      ...(await running(folder, setting, peer.ask)),
    ];
  } finally {
    await peer.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} what
 * @param {string} content
 * @param {string} folder
 * @param {Setting} setting
 * @param {Peer} ask
 */
async function editing(what, content, folder, { quick }, ask) {
  const [ours, theirs, copy] = ["ours", "theirs", "copy"].map((name) => join(folder, `${name}.ipynb`));
  for (const path of [ours, theirs]) writeFileSync(/** @type {string} */ (path), content);
  let round = 0;
  const samples = await interleave(
    {
      // Any edit must read and write at least as many bytes.
      floor: async () => copyFileSync(/** @type {string} */ (ours), /** @type {string} */ (copy)),
      ours: async () => {
        // As the command line and the tools edit a notebook.
        await editNotebookFile(/** @type {string} */ (ours), [{ action: "edit", cell: 50, content: `x = ${round++}` }]);
      },
      peer: () => ask({ op: "edit", path: theirs, cell: 50, source: `x = ${round}` }),
    },
    { rounds: quick ? 5 : 20 },
  );
  return row(what, samples, 8, "nbformat");
}

/**
 * @param {string} folder
 * @param {Setting} setting
 * @param {Peer} ask
 */
async function running(folder, { python, env, quick }, ask) {
  const [ours, theirs] = ["run-ours", "run-theirs"].map((name) => join(folder, `${name}.ipynb`));
  const cells = Array.from({ length: 100 }, (_, index) => code(`c${index}`, `x = ${index}\nx`));
  for (const path of [ours, theirs]) writeFileSync(/** @type {string} */ (path), notebook(cells));
  const home = { ...env, GRANARY_HOME: join(folder, "home") };
  const open = () => createRuntime({ cwd: folder, env: home, settings: { python: { interpreter: python } } });
  const runIn = async (/** @type {import("../../src/runtime/runtime.ts").Runtime} */ runtime) => {
    const session = runtime.session(`run-${count++}`);
    const { status } = await runNotebook(session, /** @type {string} */ (ours));
    await session[Symbol.asyncDispose]();
    if (status !== "ok") throw new Error(`the notebook ended with ${status}`);
  };
  let count = 0;
  const host = await open();
  const { inHost, fresh, peer } = await interleave(
    {
      // nbclient's Python stays, too.
      inHost: () => runIn(host),
      peer: () => ask({ op: "run", path: theirs }),
      fresh: async () => {
        const runtime = await open();
        await runIn(runtime);
        await runtime.close();
      },
    },
    { rounds: quick ? 3 : 10, warmUp: 3 },
  );
  // By then the engine has compiled what a run uses.
  for (let runs = 0; runs < 40; runs += 1) await runIn(host);
  const later = await interleave(
    { inHost: () => runIn(host), peer: () => ask({ op: "run", path: theirs }) },
    { rounds: quick ? 3 : 10 },
  );
  await host.close();
  const what = "100 trivial cells of a notebook, with the kernel's start and end";
  return [
    row(`${what}, in a host that stays`, { ours: inHost, peer }, 20, "nbclient"),
    row("the same, in a host that has run fifty of them", { ours: later.inHost, peer: later.peer }, 20, "nbclient"),
    row("the same, each in a fresh runtime", { ours: fresh, peer }, 12, "nbclient"),
  ];
}

/**
 * @param {string} what
 * @param {{ floor?: number[], ours: number[], peer: number[] }} samples
 * @param {number} atLeast times as fast as the peer
 * @param {string} peerName
 * @returns {import("../report.mjs").Row}
 */
function row(what, { floor, ours, peer }, atLeast, peerName) {
  const ratio = median(peer) / median(ours);
  return {
    what,
    floor: floor === undefined ? "" : showTimes(floor),
    ours: showTimes(ours),
    measured: `${ratio.toFixed(1)} × faster`,
    target: `≥ ${atLeast} ×`,
    met: ratio >= atLeast,
    peer: `${peerName}: ${showTimes(peer)}`,
  };
}

/** Many cells with short outputs, as in years of notes. */
function manyCells() {
  const log = Array.from(
    { length: 40 },
    (_, n) => `step ${n}: loss ${(1 / (n + 1)).toFixed(6)}, 0.${n} of it, ${"x".repeat(30)}\n`,
  );
  const value = {
    data: { "text/plain": ["0.123456789"] },
    execution_count: 1,
    metadata: {},
    output_type: "execute_result",
  };
  const outputs = [{ name: "stdout", output_type: "stream", text: log }, value];
  return notebook(Array.from({ length: 14_000 }, (_, index) => ({ ...code(`c${index}`, `x = ${index}\nx`), outputs })));
}

/** The easiest input for a JSON parser: a few long strings. */
function fewCells() {
  const picture = randomBytes(188_000).toString("base64");
  const table = Array.from({ length: 3600 }, (_, n) => `      <td>${n}.${"0123456789".slice(n % 10)}</td>\n`);
  const log = Array.from(
    { length: 2100 },
    (_, n) => `epoch ${n}: loss ${(1 / (n + 1)).toFixed(6)}, accuracy 0.${n}, 12.3 s\n`,
  );
  const shown = { "text/html": table, "image/png": picture, "text/plain": ["<Figure size 640x480 with 1 Axes>"] };
  const outputs = [
    { name: "stdout", output_type: "stream", text: log },
    { data: shown, metadata: {}, output_type: "display_data" },
  ];
  return notebook(Array.from({ length: 110 }, (_, index) => ({ ...code(`c${index}`, `x = ${index}`), outputs })));
}

/** @param {string} id @param {string} source */
function code(id, source) {
  return { cell_type: "code", execution_count: null, id, metadata: {}, outputs: [], source };
}

/** @param {readonly object[]} cells */
function notebook(cells) {
  return `${JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }, null, 1)}\n`;
}

/** @param {string} path */
function fromDist(path) {
  return import(new URL(`../../dist/${path}`, import.meta.url).href);
}
