import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { say } from "../../scripts/repository.mjs";
import { cacheFolder, lastLines } from "./build-environment.mjs";
import { folderToMake } from "./half-made.mjs";

/** @typedef {"mcp" | "pi" | "pi-newer" | "pi-1" | "zeromq" | "tokens" | "jupyterlab" | "browser"} NodeEnvironmentName */

const run = promisify(execFile);

/**
 * The npm packages of `node/<name>/package-lock.json`, installed once per machine, outside of the checkout: programs that
 * tests talk to, which nobody needs who only works on Granary. To add another:
 *
 * 1. `test/environment/node/<name>/package.json` with exact versions, and in its folder
 *    `npm install --package-lock-only --omit-lockfile-registry-resolved`, so that any registry will do;
 * 2. the name in `NodeEnvironmentName` above, and a `prepareNode` in set-up.mjs.
 *
 * @param {NodeEnvironmentName} name
 * @returns {Promise<string>} the folder with `node_modules` in it
 */
export async function buildNodeEnvironment(name) {
  const source = fileURLToPath(new URL(`node/${name}/`, import.meta.url));
  const files = ["package.json", "package-lock.json"];
  const key = createHash("sha256").update(`${process.platform} ${process.arch}`);
  for (const file of files) key.update(readFileSync(join(source, file)));
  const environment = join(cacheFolder(), `node-${name}-${key.digest("hex").slice(0, 16)}`);
  if (existsSync(environment)) return environment;

  say(`installing the npm packages "${name}" for the tests…`);
  mkdirSync(cacheFolder(), { recursive: true });
  const folder = folderToMake(environment);
  try {
    for (const file of files) copyFileSync(join(source, file), join(folder, file));
    const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--fetch-retries=1"];
    await run("npm", args, { cwd: folder });
    renameSync(folder, environment);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    // Somebody else was faster.
    if (existsSync(environment)) return environment;
    throw new Error(`npm could not install what is in test/environment/node/${name}: ${lastLines(error)}`, {
      cause: error,
    });
  }
  return environment;
}
