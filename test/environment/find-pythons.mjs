import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { homedir } from "node:os";
import { promisify } from "node:util";

/** @typedef {{ path: string, version: string }} Python */

const oldestSupported = "3.8";

// An interpreter behind a shim, a symbolic link or a virtual environment is asked for the real one.
const whoAreYou = `
import os, platform, sys
print(os.path.realpath(getattr(sys, "_base_executable", sys.executable)))
print(platform.python_implementation(), sys.version_info.releaselevel)
print(platform.python_version())
`;

/**
 * Every released CPython on this machine that Granary supports, oldest first.
 * @returns {Promise<Python[]>}
 */
export async function findPythons() {
  const answers = await Promise.all(candidates().map(ask));
  const found = answers.filter((python) => python !== undefined);
  const byPath = new Map(found.map((python) => [python.path, python]));
  return [...byPath.values()]
    .filter(({ version }) => compareVersions(version, oldestSupported) >= 0)
    .sort((a, b) => compareVersions(a.version, b.version));
}

/**
 * @param {string} a
 * @param {string} b
 */
export function compareVersions(a, b) {
  return a.localeCompare(b, "en", { numeric: true });
}

function candidates() {
  const onPath = (process.env.PATH ?? "").split(":");
  const usual = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"];
  const installedByTools = [`${homedir()}/.pyenv/versions`, `${homedir()}/.local/share/uv/python`].flatMap((folder) =>
    list(folder).map((version) => `${folder}/${version}/bin`),
  );
  // Shims of pyenv start a shell each, for versions that are found by their folders anyway.
  const folders = new Set([...onPath.filter((folder) => !folder.endsWith("/shims")), ...usual, ...installedByTools]);
  return [...folders].flatMap((folder) =>
    list(folder)
      .filter((name) => /^python3(\.\d+)?$/.test(name))
      .map((name) => `${folder}/${name}`),
  );
}

/**
 * @param {string} executable
 * @returns {Promise<Python | undefined>} undefined for what does not run, such as a shim of a version that is not there
 */
async function ask(executable) {
  try {
    const { stdout } = await promisify(execFile)(executable, ["-I", "-c", whoAreYou], { timeout: 20_000 });
    const [path, kind, version] = stdout.split("\n");
    return kind === "CPython final" && path && version ? { path, version } : undefined;
  } catch {
    return undefined;
  }
}

/** @param {string} folder */
function list(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
