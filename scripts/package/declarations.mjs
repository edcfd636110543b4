import { cpSync, readFileSync } from "node:fs";
import { posix } from "node:path";

/**
 * Copies the declaration files that the entry points reach to `types/`. The package ships these, an eighth of all.
 * @param {string} folder the folder of the compiled sources
 * @param {readonly string[]} entries names without ending
 */
export function copyDeclarations(folder, entries) {
  /** @type {Set<string>} */
  const reached = new Set();
  /** @param {string} file */
  const follow = (file) => {
    if (reached.has(file)) return;
    reached.add(file);
    const text = readFileSync(`${folder}/${file}`, "utf8");
    for (const [, path = ""] of text.matchAll(/(?:\bfrom|\bimport\()\s*"(\.[^"]+)"/g)) {
      follow(posix.join(posix.dirname(file), path).replace(/\.[jt]s$/, ".d.ts"));
    }
  };
  for (const entry of entries) follow(`${entry}.d.ts`);
  for (const file of reached) cpSync(`${folder}/${file}`, `${folder}/types/${file}`);
}
