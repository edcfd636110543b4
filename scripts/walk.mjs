// Lists the source files of which one cell runs a function: node scripts/walk.mjs
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { inRepository, isMain } from "./repository.mjs";

const compiled = pathToFileURL(inRepository("dist/")).href;
// Timers of a second and more never ring: what only a slow start runs, on a busy machine, does not count.
const program = `const set = setTimeout; globalThis.setTimeout = (f, ms, ...rest) => set(f, ms < 1000 ? ms : 60_000, ...rest);
  import(${JSON.stringify(`${compiled}hosts/cli/main.js`)})
  .then(({ main }) => main(["run", "-c", 'print("hi"); 6*7'])).then((code) => { process.exitCode = code; })`;

/**
 * The files of `dist/`, which are those of `src/`, with a function that `granary run -c 'print("hi"); 6*7'` calls. The program
 * itself runs bundled; here it runs file by file, and V8 counts.
 * @param {NodeJS.ProcessEnv} env
 */
export function filesOfOneCell(env = process.env) {
  const folder = mkdtempSync(join(tmpdir(), "granary-walk-"));
  try {
    const run = (/** @type {NodeJS.ProcessEnv} */ more) =>
      execFileSync(process.execPath, ["-e", program], { env: { ...env, GRANARY_HOME: `${folder}/home`, ...more } });
    // The first run finds a Python; later ones, which are usual, remember it.
    run({});
    run({ NODE_V8_COVERAGE: `${folder}/counts` });
    const reports = readdirSync(`${folder}/counts`).map((name) => readFileSync(`${folder}/counts/${name}`, "utf8"));
    return [...new Set(reports.flatMap((report) => called(JSON.parse(report))))].sort();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** TypeScript puts it into every file with `using`, where it runs when the file is loaded. */
const helperOfCompiler = "function (SuppressedError)";

/**
 * @typedef {{ ranges: { startOffset: number, count: number }[] }} Counted
 * @param {{ result: { url: string, functions: Counted[] }[] }} report
 */
function called({ result }) {
  // The one that begins at 0 is the module itself, which runs when it is loaded.
  const isCalled =
    (/** @type {string} */ source) =>
    (/** @type {Counted} */ { ranges: [whole] }) =>
      whole && whole.startOffset > 0 && whole.count > 0 && !source.startsWith(helperOfCompiler, whole.startOffset);
  return result
    .filter(({ url }) => url.startsWith(compiled))
    .filter(({ url, functions }) => functions.some(isCalled(readFileSync(fileURLToPath(url), "utf8"))))
    .map(({ url }) => url.slice(compiled.length).replace(/\.js$/, ".ts"));
}

if (isMain(import.meta.url)) {
  const files = filesOfOneCell();
  console.log([...files, `${files.length} files`].join("\n"));
}
