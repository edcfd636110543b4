// CommonJS, as `bin/granary`, which loads this file only where the compiled code is missing.
"use strict";

const { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } = require("node:fs");
const { dirname, join } = require("node:path");

/**
 * Writes what V8 compiled in this run, for the next one. It is only about speed: where it cannot be written, the next run compiles again.
 * @param {string} file
 * @param {import("node:vm").Script} script
 */
exports.keepCompiled = function keepCompiled(file, script) {
  try {
    for (const folder of [dirname(dirname(file)), dirname(file)]) makeFolder(folder);
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, script.createCachedData(), { mode: 0o600 });
    renameSync(draft, file);
    removeOld(dirname(file));
  } catch {}
};

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
