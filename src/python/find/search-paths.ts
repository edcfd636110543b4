import { delimiter } from "node:path";
import type { Environment } from "../../support/environment.ts";

/** Variables that name folders or files from which programs load code, by how their entries are separated. */
const searchPaths: Readonly<Record<string, string | RegExp | null>> = {
  PYTHONPATH: delimiter,
  PYTHONHOME: delimiter,
  PYTHONUSERBASE: null,
  PYTHONPYCACHEPREFIX: null,
  LD_LIBRARY_PATH: /[:;]/,
  LD_PRELOAD: /[: ]+/,
  LD_AUDIT: delimiter,
  GCONV_PATH: delimiter,
  LOCPATH: delimiter,
  DYLD_LIBRARY_PATH: delimiter,
  DYLD_FALLBACK_LIBRARY_PATH: delimiter,
  DYLD_FRAMEWORK_PATH: delimiter,
  DYLD_FALLBACK_FRAMEWORK_PATH: delimiter,
  DYLD_INSERT_LIBRARIES: delimiter,
};

/** Everything that these variables name. */
export function searchedPlaces(env: Environment): readonly string[] {
  return Object.keys(searchPaths).flatMap((name) => entriesOf(name, env[name]));
}

/** The environment in which programs load code only from places that are kept. */
export function withoutPlaces(env: Environment, isKept: (place: string) => boolean): Environment {
  const changed = Object.keys(searchPaths).flatMap((name): readonly (readonly [string, string | undefined])[] => {
    const entries = entriesOf(name, env[name]);
    const kept = entries.filter(isKept);
    if (kept.length === entries.length) return [];
    return [[name, kept.length === 0 ? undefined : kept.join(delimiter)]];
  });
  return { ...env, ...Object.fromEntries(changed) };
}

function entriesOf(name: string, value: string | undefined): readonly string[] {
  const separator = searchPaths[name];
  if (value === undefined || value === "") return [];
  return separator == null ? [value] : value.split(separator);
}

/** For a wrapper that may have meant a Python in one of the entries. Without a full stop at the end, as a problem of a Python. */
export function sayLeftOutOfPath(leftOut: readonly string[]): string {
  return (
    `Its PATH is without ${leftOut.join(", ")}, so that nothing there takes the place of your programs: ` +
    "to start a Python from there, name that Python in the wrapper by its path"
  );
}
