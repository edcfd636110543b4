import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readSmallFileSync } from "../support/files/foreign/regular-file.ts";

/**
 * The usual name of a Python's environment; outside an environment, Python's version, such as `3.13`.
 * @param executable null if Python is on another machine
 */
export function environmentName(executable: string | null, version: string): string {
  if (executable === null) return shortVersion(version);
  const folder = dirname(dirname(executable));
  return virtualEnvironment(folder) ?? condaEnvironment(folder) ?? shortVersion(version);
}

function shortVersion(version: string): string {
  return /^\d+\.\d+/.exec(version)?.[0] ?? version;
}

/** The name that the environment sets for prompts, or that of its folder. */
function virtualEnvironment(folder: string): string | null {
  try {
    const settings = readSmallFileSync(join(folder, "pyvenv.cfg"));
    const prompt = /^\s*prompt\s*=\s*(.*?)\s*$/m.exec(settings)?.[1]?.replace(/^(['"])(.*)\1$/, "$2");
    return prompt || basename(folder);
  } catch {
    return null;
  }
}

function condaEnvironment(folder: string): string | null {
  if (!existsSync(join(folder, "conda-meta"))) return null;
  const isInstallation = existsSync(join(folder, "condabin"));
  return isInstallation ? "base" : basename(folder);
}
