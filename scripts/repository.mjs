import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * A path in this repository.
 * @param {string} path
 */
export const inRepository = (path) => root + path;

/**
 * Progress and problems of the set-up go to stderr: stdout belongs to the command line.
 * @param {string} sentence
 */
export const say = (sentence) => process.stderr.write(`granary: ${sentence}\n`);

/**
 * Whether the module was named on the command line.
 * @param {string} url
 */
export function isMain(url) {
  const typed = process.argv[1];
  return typed !== undefined && realpathSync(typed) === fileURLToPath(url);
}
