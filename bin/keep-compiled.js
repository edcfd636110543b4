// CommonJS, because Node can load that from a compiled cache.
"use strict";

const {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} = require("node:fs");
const { createRequire, Module } = require("node:module");
const { homedir } = require("node:os");
const { dirname, join, resolve } = require("node:path");
const { Script, constants } = require("node:vm");

/**
 * Loads a CommonJS file as `require` would, but compiled as in the last run: parsing and compiling is most of what a
 * short command does. The cache is in Granary's own folder, which belongs to the user. V8 rejects the cache of another version.
 * @param {string} path
 * @returns {() => void} what to call at the end of the run: it writes the cache if there was none
 */
exports.requireCached = function requireCached(path) {
  if (constants === undefined) return () => {}; // before Node 20.10, code that is loaded like this cannot import
  const file = cacheFile(path);
  const cachedData = read(file);
  const wrapped = Module.wrap(readFileSync(path, "utf8"));
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  const script = new Script(wrapped, { filename: path, cachedData, importModuleDynamically });
  const loaded = new Module(path);
  loaded.filename = path;
  require.cache[path] = loaded;
  script.runInThisContext().call(loaded.exports, loaded.exports, createRequire(path), loaded, path, dirname(path));
  loaded.loaded = true;
  const isFresh = cachedData !== undefined && !script.cachedDataRejected;
  return isFresh ? () => {} : () => keep(file, script);
};

/** As in `src/settings/granary-home.ts`. A changed file has another time, another Node another version. @param {string} path */
function cacheFile(path) {
  const { env, versions, arch } = process;
  const home = env.HOME || homedir();
  const folder = resolve((env.GRANARY_HOME || "~/.granary").replace(/^~(?=$|[/\\])/, () => home));
  const { size, mtimeMs } = statSync(path);
  return join(folder, "compiled", `${versions.v8}-${arch}-${size}-${Math.round(mtimeMs)}.bin`);
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** It is only about speed: where it cannot be written, the next run compiles again. @param {string} file @param {Script} script */
function keep(file, script) {
  try {
    for (const folder of [dirname(dirname(file)), dirname(file)]) makeFolder(folder);
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, script.createCachedData(), { mode: 0o600 });
    renameSync(draft, file);
    removeOld(dirname(file));
  } catch {}
}

/** Not with `recursive`: Node retries for ever where the parent exists but nothing can be made in it, as in /proc. @param {string} path */
function makeFolder(path) {
  if (!existsSync(path)) mkdirSync(path, { mode: 0o700 });
}

/** Those of versions that are gone. @param {string} folder */
function removeOld(folder) {
  const monthAgo = Date.now() - 30 * 24 * 3_600_000;
  for (const name of readdirSync(folder)) {
    if (statSync(join(folder, name)).mtimeMs < monthAgo) rmSync(join(folder, name), { force: true });
  }
}
