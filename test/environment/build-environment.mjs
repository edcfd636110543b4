import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { say } from "../../scripts/repository.mjs";
import { folderToMake } from "./half-made.mjs";

/** @typedef {import("./find-pythons.mjs").Python} Python */
/** @typedef {"main" | "plain" | "ipykernel6" | "enterprise" | "libraries" | "agents" | "jupyterlab" | "oldest"} EnvironmentName */
/** @typedef {(interpreter: string, lock: string) => Promise<unknown>} Installer */

const run = promisify(execFile);

/**
 * A virtual environment with the packages of `<name>.lock`, made once per machine, outside of the checkout.
 * @param {EnvironmentName} name
 * @param {Python} python
 * @param {Installer} install
 * @returns {Promise<string>} its interpreter
 */
export async function buildEnvironment(name, python, install = installLock) {
  const lock = fileURLToPath(new URL(`${name}.lock`, import.meta.url));
  const key = createHash("sha256").update(readFileSync(lock)).update(python.path).update(python.version).digest("hex");
  const environment = join(cacheFolder(), `${name}-${key.slice(0, 16)}`);
  const interpreter = join(environment, "bin/python");
  if (existsSync(interpreter)) return interpreter;

  say(`making the Python environment "${name}" for the tests, with Python ${python.version}…`);
  mkdirSync(cacheFolder(), { recursive: true });
  // Scripts in an environment contain its path, so it stays where it was made. When it is complete, a symbolic link with
  // the expected name appears, all at once: half an environment is never used, and of two makers the last one wins.
  const folder = folderToMake(environment);
  try {
    await run(python.path, ["-m", "venv", folder]);
    await install(`${folder}/bin/python`, lock);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`Python ${python.version} could not install ${basename(lock)}: ${lastLines(error)}`, {
      cause: error,
    });
  }
  symlinkSync(basename(folder), `${folder}.link`);
  renameSync(`${folder}.link`, environment);
  say(`made the Python environment "${name}".`);
  return interpreter;
}

/** @type {Installer} */
export function installLock(interpreter, lock) {
  return run(interpreter, [
    ...["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", "--retries", "1"],
    ...["--no-deps", "--only-binary", ":all:", "--requirement", lock],
  ]);
}

export function cacheFolder() {
  const { GRANARY_TEST_CACHE, XDG_CACHE_HOME } = process.env;
  return GRANARY_TEST_CACHE || join(XDG_CACHE_HOME || join(homedir(), ".cache"), "granary-test");
}

/** @param {unknown} error as `execFile` rejects with */
export function lastLines(error) {
  const { stdout, stderr, message } = /** @type {Error & { stdout?: string, stderr?: string }} */ (error);
  return (stderr || stdout || message).trimEnd().split("\n").slice(-2).join(" ");
}
