import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus, loadavg, release } from "node:os";
import { promisify } from "node:util";
import { inRepository } from "../scripts/repository.mjs";
import setUp from "../test/environment/set-up.mjs";

/**
 * The values that all rows of a run share.
 * @typedef {object} Setting
 * @property {string} python the interpreter of the floor, of Granary and of the peer: no shim
 * @property {Record<string, string>} env likewise
 * @property {boolean} quick fewer rounds, rougher numbers
 * @property {import("./jupyter.mjs").Jupyter | undefined} jupyter
 */

/** @typedef {import("../test/environment/set-up.mjs").TestPythons} TestPythons */

/**
 * The interpreter of the test environment with ipykernel, so that the peer runs on the same one.
 * @returns {Promise<{ python: string, withoutPeer?: string }>}
 */
export async function findPython() {
  await setUp();
  /** @type {TestPythons} */
  const found = JSON.parse(readFileSync(inRepository("node_modules/.cache/test-pythons.json"), "utf8"));
  const { main } = found.environments;
  if ("python" in main) return main;
  const newest = /** @type {import("../test/environment/find-pythons.mjs").Python} */ (found.pythons.at(-1));
  return { python: newest.path, withoutPeer: main.missing };
}

/** The environment of every Python in the run: ours, without variables that change how Python works. */
export function pythonEnvironment() {
  const unusual = ["PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "PYTHONHOME", "PYTHONPATH", "VIRTUAL_ENV"];
  const kept = Object.entries(process.env).filter(([name]) => !unusual.includes(name));
  return /** @type {Record<string, string>} */ (Object.fromEntries(kept));
}

/** @param {string} python */
export async function describeMachine(python) {
  const { stdout } = await promisify(execFile)(python, ["-c", "import platform; print(platform.python_version())"]);
  const { version } = JSON.parse(readFileSync(inRepository("package.json"), "utf8"));
  const model = cpus()[0]?.model ?? "unknown processor";
  return [
    `granary ${version}, Node ${process.versions.node}, Python ${stdout.trim()}`,
    `${process.platform} ${release()}, ${cpus().length} × ${model}`,
    describeLoad(),
  ].join("\n");
}

/** Check this first when a number is surprising. */
export function describeLoad() {
  const [minute = 0] = loadavg();
  const busy = minute > cpus().length / 2 ? ": the machine is busy, trust ratios only" : "";
  return `load ${minute.toFixed(1)} on ${cpus().length} cores${busy}`;
}
