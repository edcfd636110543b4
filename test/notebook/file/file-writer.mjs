// Adds to one file repeatedly, in a separate process, and prints a line for each completed addition.
// node file-writer.mjs DIST notebook|text FILE NAME TIMES
import { pathToFileURL } from "node:url";

const [dist = "", kind, file = "", name = "", times] = process.argv.slice(2);
const fromDist = (/** @type {string} */ module) => import(pathToFileURL(`${dist}/${module}`).href);

const add = kind === "text" ? await addingLines() : await addingCells();
for (let number = 0; number < Number(times); number++) {
  await add(`${name}-${number}`);
  process.stdout.write(`${name}-${number}\n`);
}

async function addingCells() {
  /** @type {typeof import("../../../src/notebook/file/update-notebook.ts")} */
  const { updateNotebook } = await fromDist("notebook/file/update-notebook.js");
  /** @type {typeof import("../../../src/notebook/edit/edit-notebook.ts")} */
  const { editNotebook } = await fromDist("notebook/edit/edit-notebook.js");
  return (/** @type {string} */ content) =>
    updateNotebook(file, (notebook) => editNotebook(notebook, [{ action: "insert", content }]).notebook);
}

async function addingLines() {
  /** @type {typeof import("../../../src/tools/files/update-text-file.ts")} */
  const { updateTextFile } = await fromDist("tools/files/update-text-file.js");
  const place = { path: file, real: file, within: null };
  return (/** @type {string} */ line) => updateTextFile(place, (text) => `${text}${line}\n`);
}
