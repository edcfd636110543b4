import type { Environment } from "../../support/environment.ts";

const loadsCode = /^(LD_|DYLD_|GCONV_PATH$|LOCPATH$)/;

/**
 * Variables that make every program load libraries, for programs inside of a sandbox only: they may lead into a folder that cells
 * write, and the programs that set the limits run before the limits do.
 * @param outside the environment of the programs in front; without any such variable by default
 */
export function insideOnly(
  launcher: readonly string[],
  env: Readonly<Record<string, string>>,
  outside: Environment = withoutLibraries(env),
): { readonly launcher: readonly string[]; readonly env: Readonly<Record<string, string>> } {
  const inside = Object.entries(env).filter(([name, value]) => outside[name] !== value && /^\w+$/.test(name));
  if (inside.length === 0) return { launcher, env };
  const given = inside.map(([name, value]) => `${name}=${value}`);
  const kept = Object.entries(outside).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { launcher: [...launcher, "/bin/sh", "-c", giving, "sh", ...given, "--"], env: Object.fromEntries(kept) };
}

/** Not `env`, which takes a program for a variable if its path has an equals sign. */
const giving = 'while [ "$1" != -- ]; do export "$1"; shift; done; shift; exec "$@"';

export function withoutLibraries(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !loadsCode.test(name)));
}
