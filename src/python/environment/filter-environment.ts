import type { Environment } from "../../support/environment.ts";
import { neverPassed, passedVariables } from "./passed-variables.ts";
import { holdsLogin, looksSecret } from "./secret-names.ts";

export interface FilterOptions {
  /** More variables to pass: exact names, or `PREFIX_*`. */
  readonly allow?: readonly string[] | undefined;
  /** False if the source may not allow secrets: then an exact name passes no more than a prefix. */
  readonly evenSecrets?: boolean | undefined;
}

/**
 * The part of an environment that code in a kernel may see. A variable that looks like a secret passes only by its
 * exact name: a cell can print all of `os.environ`, and a model reads the output.
 */
export function filterEnvironment(env: Environment, options: FilterOptions = {}): Record<string, string> {
  const passes = passesWith(options);
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => passes(entry)));
}

/** The names of withheld variables, sorted; never a value. */
export function withheldNames(env: Environment, options: FilterOptions = {}): readonly string[] {
  const passes = passesWith(options);
  const given = Object.entries(env).filter(([, value]) => value !== undefined);
  return given.flatMap((entry) => (passes(entry) ? [] : [entry[0]])).sort();
}

type Variable = readonly [name: string, value: string | undefined];

function passesWith({ allow = [], evenSecrets = true }: FilterOptions): (variable: Variable) => boolean {
  const allowed = parseNames(allow);
  return ([name, value]) => {
    if (value === undefined || never.has(name)) return false;
    if ((evenSecrets && allowed.exact.has(name)) || mayHoldLogin.has(name)) return true;
    if (holdsLogin(value)) return false;
    return ours.exact.has(name) || (!looksSecret(name) && (startsWithAny(name, ours) || isAmong(name, allowed)));
  };
}

interface Names {
  readonly exact: ReadonlySet<string>;
  readonly prefixes: readonly string[];
}

function parseNames(names: readonly string[]): Names {
  const prefixes = names.filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1));
  return { exact: new Set(names.filter((name) => !name.endsWith("*"))), prefixes };
}

function isAmong(name: string, names: Names): boolean {
  return names.exact.has(name) || startsWithAny(name, names);
}

function startsWithAny(name: string, { prefixes }: Names): boolean {
  return prefixes.some((prefix) => name.startsWith(prefix));
}

const never: ReadonlySet<string> = new Set(neverPassed.map(({ name }) => name));
const ours = parseNames(passedVariables.flatMap(({ names }) => names));
const mayHoldLogin: ReadonlySet<string> = new Set(
  passedVariables.filter(({ withLogin }) => withLogin).flatMap(({ names }) => names),
);
