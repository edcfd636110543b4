import { existsSync, readdirSync, statSync } from "node:fs";
import { inRepository } from "./repository.mjs";

/**
 * The Bun executable of the `bun` package. Its install script moves the executable out of the platform's package,
 * and npm does not run install scripts on every machine, so this looks in both places.
 * @returns {string | undefined} undefined if there is no Bun for this platform
 */
export function bunPath() {
  const platforms = inRepository("node_modules/@oven");
  const fromPlatforms = existsSync(platforms)
    ? readdirSync(platforms).map((name) => `${platforms}/${name}/bin/bun`)
    : [];
  return [...fromPlatforms, inRepository("node_modules/bun/bin/bun.exe")].find(isExecutable);
}

/**
 * Without its install script, the package has a placeholder of a few hundred bytes instead of Bun.
 * @param {string} path
 */
function isExecutable(path) {
  return existsSync(path) && statSync(path).size > 1_000_000;
}
