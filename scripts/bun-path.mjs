import { existsSync, readdirSync, statSync } from "node:fs";
import { inRepository } from "./repository.mjs";

/**
 * The Bun executable of the `bun` package. Its install script moves the executable out of the platform's package,
 * and whether npm runs install scripts is up to each machine, so it is looked for in both places.
 * @returns {string | undefined} undefined where Bun does not exist for this platform
 */
export function bunPath() {
  const platforms = inRepository("node_modules/@oven");
  const fromPlatforms = existsSync(platforms)
    ? readdirSync(platforms).map((name) => `${platforms}/${name}/bin/bun`)
    : [];
  return [...fromPlatforms, inRepository("node_modules/bun/bin/bun.exe")].find(isExecutable);
}

/**
 * Without its install script, the package has a stand-in of a few hundred bytes instead of Bun.
 * @param {string} path
 */
function isExecutable(path) {
  return existsSync(path) && statSync(path).size > 1_000_000;
}
