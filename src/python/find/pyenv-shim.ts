import { access, constants, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Environment } from "../../support/environment.ts";

/**
 * The interpreter that pyenv would start, found as pyenv finds it: `PYENV_VERSION`, then `.python-version` in
 * the current folder and those above it, then the global `version` file. Null when this is no shim of pyenv's
 * or its choice needs more than reading these files (`system`, `3.12` for the latest 3.12.x).
 */
export async function resolvePyenvShim(
  shim: string,
  { cwd, env }: { readonly cwd: string; readonly env: Environment },
): Promise<string | null> {
  const folder = dirname(shim);
  if (basename(folder) !== "shims") return null;
  const root = dirname(folder);
  for (const version of await chosenVersions(root, cwd, env)) {
    // Any folder may contain a `.python-version`; the file must not lead out of pyenv's own folder.
    if (version.includes("/") || version.startsWith(".") || version === "system") return null;
    for (const name of [version, version.replace(/^python-/, "")]) {
      const executable = join(root, "versions", name, "bin", basename(shim));
      if (await isExecutable(executable)) return executable;
    }
  }
  return null;
}

async function chosenVersions(root: string, cwd: string, env: Environment): Promise<readonly string[]> {
  if (env.PYENV_VERSION) return env.PYENV_VERSION.split(":");
  for (const folder of withParents(cwd)) {
    const versions = await readVersions(join(folder, ".python-version"));
    if (versions.length > 0) return versions;
  }
  return readVersions(join(root, "version"));
}

/** The first word of each line that is no comment. */
async function readVersions(file: string): Promise<readonly string[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  const words = text.split("\n").map((line) => line.trim().split(/\s/)[0] ?? "");
  return words.filter((word) => word !== "" && !word.startsWith("#"));
}

function* withParents(folder: string): Generator<string> {
  yield folder;
  const parent = dirname(folder);
  if (parent !== folder) yield* withParents(parent);
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
