import { delimiter } from "node:path";
import { fileURLToPath } from "node:url";
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
  OPENSSL_CONF: null,
  OPENSSL_MODULES: null,
  OPENSSL_ENGINES: null,
  BASH_ENV: null,
  ENV: null,
  IPYTHONDIR: null,
  JUPYTER_PATH: delimiter,
  JUPYTER_DATA_DIR: null,
  JUPYTER_CONFIG_DIR: null,
  JUPYTER_CONFIG_PATH: delimiter,
  XDG_CONFIG_HOME: null,
  XDG_CONFIG_DIRS: delimiter,
  XDG_CACHE_HOME: null,
  XDG_DATA_HOME: null,
  XDG_DATA_DIRS: delimiter,
  PYENV_HOOK_PATH: delimiter,
  ...packageSources(),
};

/** Of pip and uv. CI jobs and direnv often set them to files of the project. */
function packageSources(): Readonly<Record<string, string | null>> {
  const one = ["PIP_CONFIG_FILE", "PIP_CACHE_DIR", "PIP_INDEX_URL", "UV_CONFIG_FILE", "UV_CACHE_DIR", "UV_INDEX_URL"];
  const ofPythons = ["INSTALL_DIR", "CACHE_DIR", "INSTALL_MIRROR", "DOWNLOADS_JSON_URL"].map(
    (name) => `UV_PYTHON_${name}`,
  );
  const several = ["FIND_LINKS", "EXTRA_INDEX_URL", "CONSTRAINT", "BUILD_CONSTRAINT"];
  return Object.fromEntries([
    ...[...one, "UV_DEFAULT_INDEX", ...ofPythons].map((name) => [name, null]),
    ...[...several.map((name) => `PIP_${name}`), "PIP_REQUIREMENT", "PIP_EDITABLE"].map((name) => [name, " "]),
    ...[...several.slice(1).map((name) => `UV_${name}`), "UV_OVERRIDE", "UV_INDEX"].map((name) => [name, " "]),
    ["UV_FIND_LINKS", ","],
  ]);
}

/** Everything on this machine that these variables name. */
export function searchedPlaces(env: Environment): readonly string[] {
  return Object.keys(searchPaths).flatMap((name) =>
    entriesOf(name, env[name]).flatMap((entry) => placeOf(name, entry) ?? []),
  );
}

/** Null for a server, an address that only pip and uv use. */
function placeOf(name: string, entry: string): string | null {
  if (!/^(PIP|UV)_/.test(name)) return entry;
  const [, url = entry] = /^\w+=(.*)$/.exec(entry) ?? [];
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(url)) return url;
  try {
    return fileURLToPath(url);
  } catch {
    return null;
  }
}

/** The environment in which programs load code only from places that are kept. */
export function withoutPlaces(env: Environment, isKept: (place: string) => boolean): Environment {
  const changed = Object.keys(searchPaths).flatMap((name): readonly (readonly [string, string | undefined])[] => {
    const entries = entriesOf(name, env[name]);
    const kept = entries.filter((entry) => {
      const place = placeOf(name, entry);
      return place === null || isKept(place);
    });
    if (kept.length === entries.length) return [];
    const separator = searchPaths[name];
    const between = typeof separator === "string" ? separator : delimiter;
    return [[name, kept.length === 0 ? undefined : kept.join(between)]];
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
