import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { copyDeclarations } from "./package/declarations.mjs";
import { buildPage } from "./package/page.mjs";
import { thirdPartyLicenses } from "./package/third-party-licenses.mjs";
import { inRepository, say } from "./repository.mjs";
import { runQuietly } from "./run-quietly.mjs";

const dist = inRepository("dist");
/** Inside dist, so that deleting dist causes a new build. */
const builtFrom = "/.built-from";

export function isBuilt() {
  try {
    return readFileSync(dist + builtFrom, "utf8") === fingerprint();
  } catch {
    return false;
  }
}

/**
 * Compiles src/ beside dist/ and then swaps the two, so that no process imports half a file.
 * Types are not checked here: `npm run check` does that, and a half-edited tree must still start.
 */
export async function build() {
  say("building…");
  const fresh = inRepository(`.dist-${process.pid}`);
  const old = `${fresh}-old`;
  // Taken before compiling: a file edited during the build causes another build.
  const source = fingerprint();
  try {
    const tsc = inRepository("node_modules/typescript/bin/tsc");
    await runQuietly(process.execPath, [tsc, "-p", "tsconfig.build.json", "--noCheck", "--outDir", fresh], {
      failed: "the sources could not be compiled.",
    });
    for (const path of await buildPage(`${fresh}/page`)) bundledModules.add(path);
    await bundle(fresh);
    copyDeclarations(fresh, ["index", "tools", "python", "hosts/mcp/index", "hosts/pi/extension"]);
    await writeManPage(fresh);
    writeFileSync(fresh + builtFrom, source);
    if (existsSync(dist)) renameSync(dist, old);
    renameSync(fresh, dist);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
    rmSync(old, { recursive: true, force: true });
  }
}

/**
 * Bundles the command line and the library into a few files instead of a hundred: Node takes half a millisecond to load
 * one, which every `granary run` would pay for, and opens all of them at once, which a host with few descriptors cannot.
 * Two bundles, because one would split shared code into more files. They contain the packages that they use: `dependencies`
 * of package.json, which users install, stay outside (docs/internals/decisions/0036-packages-in-the-bundles.md).
 * @param {string} folder the folder of the compiled sources
 */
async function bundle(folder) {
  const commands = [`${folder}/hosts/cli/main.js`, ...commandModules(folder)];
  await writeBundle(`${folder}/bundle`, Object.fromEntries(commands.map((path) => [basename(path, ".js"), path])));
  await bundleRun(folder, "run", ofEveryRun);
  joinRuntime(`${folder}/run`, "core.js");
  loadNodeLater(`${folder}/run/core.js`);
  escapeLetters(`${folder}/run/core.js`);
  await bundleRun(folder, "run-in-hub", ofEverySession);
  joinRuntime(`${folder}/run-in-hub`, "client.js");
  askForHomeLater(`${folder}/run-in-hub/client.js`);
  for (const name of ["run/core", "run-in-hub/core", "run-in-hub/client"]) nameItsContent(`${folder}/${name}.js`);
  const library = {
    index: `${folder}/index.js`,
    tools: `${folder}/tools.js`,
    python: `${folder}/python.js`,
    mcp: `${folder}/hosts/mcp/index.js`,
    pi: `${folder}/hosts/pi/extension.js`,
  };
  await writeBundle(`${folder}/library`, library);
  writeFileSync(`${folder}/third-party-licenses.txt`, thirdPartyLicenses(bundledModules));
}

/** @type {Set<string>} */
const bundledModules = new Set();

/**
 * The modules of the commands, from their table in main.ts.
 * @param {string} folder
 */
function commandModules(folder) {
  const table = readFileSync(`${folder}/hosts/cli/main.js`, "utf8");
  return [...table.matchAll(/load: \(\) => import\("\.\/([^"]+)"\)/g)].map(([, path]) => `${folder}/hosts/cli/${path}`);
}

/** The modules of every `granary run`, beside those that they import. */
const ofEveryRun = [
  "hosts/cli/main.js",
  "hosts/cli/run.js",
  "hosts/cli/run/run-typed-cells.js",
  "hosts/cli/report/live-report.js",
  "kernel/runner/runner-backend.js",
  "runtime/backend/load-backend.js",
  "runtime/shell/pending-snapshot.js",
  "session/bootstrap/bootstrap.js",
  "session/kernel-life/resume-kernel.js",
];

/** The modules of `granary run --sandbox`, in one more file. */
const ofEverySandbox = [
  "python/find/read-facts.js",
  "runtime/sandbox/denied-command.js",
  "runtime/sandbox/inside-only.js",
  "runtime/sandbox/not-set-up.js",
  "runtime/sandbox/say-sandbox.js",
  "runtime/sandbox/session-sandboxes.js",
  "sandbox/engine.js",
  "sandbox/network/host-gate.js",
  "sandbox/network/index-hosts.js",
  "sandbox/network/listen.js",
  "sandbox/sandbox.js",
];

/** `granary run --session NAME -c CODE` without a terminal: `client.js`, which is small enough to be compiled at every start. */
const ofEveryClient = ["hosts/cli/run/quick/quick-run.js", "hosts/cli/run/run-in-hub.js"];

/** The modules of other calls of `granary run --session`, whose cells run in the hub. */
const ofEverySession = ["hosts/cli/main.js", "hosts/cli/run.js", "hosts/cli/report/live-report.js"];

/**
 * `granary run` once more, with the code of every run in one CommonJS file: Node loads that faster than modules, and
 * `bin/keep-compiled.js` keeps it compiled. Other commands stay outside: they are in the first bundle.
 * @param {string} folder
 * @param {string} name of the bundle
 * @param {readonly string[]} modules
 */
async function bundleRun(folder, name, modules) {
  const isClient = modules === ofEverySession;
  const client = new Set(ofEveryClient.map((name) => `${folder}/${name}`));
  const core = new Set(modules.map((name) => `${folder}/${name}`));
  const sandbox = new Set(ofEverySandbox.map((name) => `${folder}/${name}`));
  const others = new Set(commandModules(folder).filter((path) => !core.has(path)));
  /** @type {import("rolldown").Plugin} */
  const otherCommands = {
    name: "other commands",
    resolveId(id, importer) {
      const path = importer === undefined ? id : resolve(dirname(importer), id);
      return others.has(path) ? { id: `../bundle/${basename(path)}`, external: true } : null;
    },
  };
  /** @type {import("rolldown").Plugin} A short command need not look for package.json and read it. */
  const versionInside = {
    name: "version inside",
    load: (id) => (id === `${folder}/support/files/own-version.js` ? ownVersionModule() : null),
  };
  /** @type {import("rolldown").Plugin} A process with one command asks for files directly. */
  const asksDirectly = {
    name: "asks directly",
    load: (id) => {
      if (isClient || id !== `${folder}/support/files/look.js`) return null;
      return readFileSync(`${folder}/support/files/look-directly.js`, "utf8");
    },
  };
  await writeBundle(
    `${folder}/${name}`,
    { main: `${folder}/hosts/cli/main.js`, ...(isClient && { quick: `${folder}/${ofEveryClient[0]}` }) },
    {
      format: "cjs",
      minify: isClient,
      minifyInternalExports: false,
      chunkFileNames: ({ name }) => (name === "core" || name === "client" ? `${name}.js` : "[name]-[hash].js"),
      codeSplitting: {
        groups: [
          { name: "client", test: (id) => isClient && client.has(id), priority: 2 },
          { name: "core", test: (id) => core.has(id), priority: 1 },
          { name: "sandbox", test: (id) => !isClient && sandbox.has(id), priority: 0 },
        ],
      },
    },
    [otherCommands, versionInside, asksDirectly],
  );
  writeFileSync(`${folder}/${name}/package.json`, '{ "type": "commonjs" }\n');
}

/**
 * Puts rolldown's own functions into the file that needs them: Node takes half a millisecond to load another one.
 * @param {string} folder
 * @param {string} name
 */
function joinRuntime(folder, name) {
  const text = readFileSync(`${folder}/${name}`, "utf8");
  const joined = text.replace(/require\(.\.\/(rolldown-runtime-[^`"']+)[`"']\)/, (_, runtime) => {
    return `(exports=>{${readFileSync(`${folder}/${runtime}`, "utf8")};return exports})({})`;
  });
  if (joined === text) throw new Error(`${name} does not load rolldown's functions as expected.`);
  writeFileSync(`${folder}/${name}`, joined);
}

/**
 * Makes a file load `node:os` only where the environment does not name the home folder.
 * @param {string} path
 */
function askForHomeLater(path) {
  const text = readFileSync(path, "utf8");
  const asked = ["homedir", "userInfo"].map((name) => `${name}:()=>require("node:os").${name}()`);
  const later = text.replace('require("node:os")', `{${asked}}`);
  const uses = new Set((text.match(/\bos\b|\.homedir\b|\.tmpdir\b|\.userInfo\b/g) ?? []).sort());
  if (later === text || [...uses].join() !== ".homedir,.userInfo,os")
    throw new Error(`${basename(path)} uses more of node:os.`);
  writeFileSync(path, later);
}

/**
 * Begins a file with a name of its content, under which `bin/granary` keeps its compiled code: V8 compares only lengths, and some
 * installers give every file the same time.
 * @param {string} path
 */
function nameItsContent(path) {
  const text = readFileSync(path, "utf8");
  writeFileSync(path, `//${createHash("sha256").update(text).digest("hex").slice(0, 32)}\n${text}`);
}

/**
 * Makes a file load parts of Node with their first use: they take four milliseconds, and a short run uses few of them before Python
 * starts.
 * @param {string} path
 */
function loadNodeLater(path) {
  const text = readFileSync(path, "utf8");
  const later = ["crypto", "fs/promises", "timers/promises", "zlib"].reduce((text, part) => {
    const name = `node_${part.replace("/", "_")}`;
    const declared = `let ${name} = require("node:${part}");`;
    if (!text.includes(declared)) throw new Error(`${basename(path)} does not load node:${part} as expected.`);
    const uses = text.replaceAll(`${name}.`, `${name}().`);
    return uses.replace(
      declared,
      `let kept_${name};\nconst ${name} = () => (kept_${name} ??= require("node:${part}"));`,
    );
  }, text);
  // The same clock, without the eight modules behind `performance`.
  const clock = later.replaceAll("performance.now()", "(process.uptime() * 1e3)");
  if (clock === later || /\bperformance\b/.test(clock)) throw new Error(`${basename(path)} uses more of performance.`);
  writeFileSync(path, clock);
}

/**
 * Writes the letters beyond ASCII in texts and patterns of a file as escapes, because Node reads such a file nearly twice as fast.
 * @param {string} path
 */
function escapeLetters(path) {
  const text = readFileSync(path, "utf8");
  if (/String\.raw`[^`]*[\u0080-\uffff]/.test(text)) throw new Error("String.raw would show the escapes as they are.");
  const escaped = (/** @type {string} */ unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  writeFileSync(path, text.replace(/[\u0080-\uffff]/g, escaped));
}

function ownVersionModule() {
  return `export async function ownVersion() { return ${JSON.stringify(manifest().version)}; }`;
}

function manifest() {
  return JSON.parse(readFileSync(inRepository("package.json"), "utf8"));
}

/**
 * @param {string} dir
 * @param {Record<string, string>} input
 * @param {import("rolldown").OutputOptions} [output]
 * @param {import("rolldown").Plugin[]} [plugins]
 */
async function writeBundle(dir, input, output = { format: "esm", chunkFileNames: "[name]-[hash].js" }, plugins = []) {
  const { rolldown } = await import("rolldown");
  const { dependencies, optionalDependencies } = manifest();
  const packages = Object.keys({ ...dependencies, ...optionalDependencies });
  const files = await rolldown({
    input,
    platform: "node",
    // Also their subpaths: with two copies of a package, `instanceof` fails between them.
    external: (id) => packages.some((name) => id === name || id.startsWith(`${name}/`)),
    plugins,
    logLevel: "warn",
    // A module that one file imports at once and another later goes to the first, which is fine.
    onLog: (level, log, tell) => {
      if (log.code !== "INEFFECTIVE_DYNAMIC_IMPORT") tell(level, log);
    },
  });
  const { output: chunks } = await files.write({
    ...output,
    dir,
    comments: { legal: true, annotation: true, jsdoc: false },
  });
  for (const chunk of chunks) if (chunk.type === "chunk") for (const id of chunk.moduleIds) bundledModules.add(id);
  await files.close();
}

/**
 * `man granary`, from the help of the commands that were just compiled.
 * @param {string} folder
 */
async function writeManPage(folder) {
  const { manPage } = await import(pathToFileURL(`${folder}/hosts/cli/first-steps/man-page.js`).href);
  const { version } = JSON.parse(readFileSync(inRepository("package.json"), "utf8"));
  mkdirSync(`${folder}/man`);
  writeFileSync(`${folder}/man/granary.1`, await manPage(version));
}

/** Name, size and time of all files that the build reads. */
function fingerprint() {
  const settings = ["package.json", "package-lock.json", "scripts/build.mjs", "tsconfig.json", "tsconfig.build.json"];
  return [...settings, ...filesIn("scripts/package").sort(), ...filesIn("src").sort()]
    .map((name) => {
      const { size, mtimeMs } = statSync(inRepository(name));
      return `${name} ${size} ${mtimeMs}\n`;
    })
    .join("");
}

/**
 * `readdirSync` with `recursive` would take milliseconds longer at every `npm start`.
 * @param {string} folder
 * @returns {string[]}
 */
function filesIn(folder) {
  return readdirSync(inRepository(folder), { withFileTypes: true }).flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesIn(name) : [name];
  });
}
