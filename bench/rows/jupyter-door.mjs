import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildEnvironment } from "../../test/environment/build-environment.mjs";
import { findPythons } from "../../test/environment/find-pythons.mjs";
import { interleave } from "../measure.mjs";
import { startNotebookPeer } from "../peers/ask-python.mjs";
import { timesTheFloor } from "../report.mjs";

/** @typedef {import("../setting.mjs").Setting} Setting */

// Built, as users get it.
const { createRuntime } = /** @type {typeof import("../../src/runtime/runtime.ts")} */ (
  await fromDist("runtime/runtime.js")
);
const { LoopbackPort } = /** @type {typeof import("../../src/support/http/loopback-port.ts")} */ (
  await fromDist("support/http/loopback-port.js")
);
const { mountJupyterDoor } = /** @type {typeof import("../../src/hosts/jupyter/mount-jupyter-door.ts")} */ (
  await fromDist("hosts/jupyter/mount-jupyter-door.js")
);
const { sessionsOf } = /** @type {typeof import("../../src/hosts/jupyter/door-sessions.ts")} */ (
  await fromDist("hosts/jupyter/door-sessions.js")
);

/**
 * Notebooks of 100 cells, run by Jupyter's own programs: the same program with ipykernel is the floor.
 * @param {Setting} setting
 * @returns {Promise<import("../report.mjs").Row[]>}
 */
export async function jupyterDoor({ jupyter, env, quick }) {
  if (jupyter === undefined) return [];
  const folder = mkdtempSync(join(tmpdir(), "granary-bench-door-"));
  // It has papermill.
  const python = await buildEnvironment("jupyterlab", /** @type {never} */ ((await findPythons()).at(-1)));
  const home = { ...env, GRANARY_HOME: join(folder, "home") };
  const runtime = await createRuntime({ cwd: folder, env: home, settings: { python: { interpreter: python } } });
  const port = await LoopbackPort.open();
  const { token } = mountJupyterDoor(port, { sessions: sessionsOf(runtime), version: "0.0.0" });
  const url = `http://127.0.0.1:${port.port}/token/${token}`;
  const peer = startNotebookPeer({ python, env });
  try {
    const path = join(folder, "cells.ipynb");
    writeFileSync(path, hundredCells());
    const rows = [];
    for (const op of ["run", "papermill"]) {
      const { floor, ours } = await interleave(
        { floor: () => peer.ask({ op, path }), ours: () => peer.ask({ op, path, url }) },
        { rounds: quick ? 3 : 10, warmUp: 1 },
      );
      const what = `100 cells by ${op === "run" ? "nbclient" : op} through the Jupyter door; floor: on ipykernel`;
      rows.push(timesTheFloor({ what, floor, ours, atMost: 1 }));
    }
    return rows;
  } finally {
    await peer.end();
    await port.close();
    await runtime.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function hundredCells() {
  const cells = Array.from({ length: 100 }, (_, index) => ({
    cell_type: "code",
    execution_count: null,
    id: `c${index}`,
    metadata: {},
    outputs: [],
    source: `x = ${index}\nx`,
  }));
  const metadata = { kernelspec: { name: "python3", display_name: "Python 3", language: "python" } };
  return JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 });
}

/** @param {string} path */
function fromDist(path) {
  return import(new URL(`../../dist/${path}`, import.meta.url).href);
}
