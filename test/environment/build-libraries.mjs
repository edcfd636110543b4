import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildEnvironment, installLock, lastLines } from "./build-environment.mjs";

/** @typedef {import("./find-pythons.mjs").Python} Python */
/** @typedef {{ python: string, notInstalled: Record<string, string> }} Libraries */

/**
 * The environment with a hundred libraries. A library that does not install, such as one without a wheel for this Python,
 * is left out, and the reason is kept.
 * @param {Python} python
 * @returns {Promise<Libraries>}
 */
export async function buildLibraries(python) {
  const interpreter = await buildEnvironment("libraries", python, installWhatInstalls);
  const folder = dirname(dirname(interpreter));
  return { python: interpreter, notInstalled: JSON.parse(readFileSync(join(folder, report), "utf8")) };
}

const report = "not-installed.json";

/**
 * pip names one requirement that it cannot install, and installs nothing; without that one, the others have their turn.
 * @param {string} interpreter
 * @param {string} lock
 */
async function installWhatInstalls(interpreter, lock) {
  /** @type {Record<string, string>} */
  const notInstalled = {};
  let lines = readFileSync(lock, "utf8").split("\n");
  const wanted = join(dirname(dirname(interpreter)), "wanted.lock");
  for (;;) {
    writeFileSync(wanted, lines.join("\n"));
    try {
      await installLock(interpreter, wanted);
      break;
    } catch (error) {
      const name = refused(error);
      const others = lines.filter((line) => !line.startsWith(`${name}==`));
      // It does not help to leave a library out, such as without a network.
      if (name === undefined || others.length === lines.length || name === "ipykernel") throw error;
      notInstalled[name] = lastLines(error);
      lines = others;
    }
  }
  writeFileSync(join(dirname(dirname(interpreter)), report), JSON.stringify(notInstalled, null, 2));
}

/** @param {unknown} error as `execFile` rejects with */
function refused(error) {
  const { stderr = "" } = /** @type {Error & { stderr?: string }} */ (error);
  return /No matching distribution found for ([\w.-]+)==/.exec(stderr)?.[1];
}
