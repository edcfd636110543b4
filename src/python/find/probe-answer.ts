import type { PythonFacts } from "../interpreter.ts";

/** CPython is what Granary is made for. PyPy has the same signals, pipes and forks; the others do not. */
const properNames: Readonly<Record<string, string>> = { cpython: "Python", pypy: "PyPy", graalpy: "GraalPy" };
const supported = ["cpython", "pypy"];

/** Null when Granary can use such a Python; otherwise completes the sentence that begins with its path. */
export function whyUnfit({ version, implementation }: PythonFacts): string | null {
  const itself = `is ${properNames[implementation] ?? implementation} ${version}`;
  if (!supported.includes(implementation)) return `${itself}, and Granary needs CPython`;
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isNewEnough = major > 3 || (major === 3 && minor >= 8);
  return isNewEnough ? null : `${itself}, and Granary needs 3.8 or newer`;
}

/** Null when this is something else; from the probe or from a file that anybody may have written into. */
export function decodeFacts(value: unknown): PythonFacts | null {
  if (!isRecord(value)) return null;
  const { version, implementation, prefix, basePrefix, sitePackages, modules } = value;
  const texts = [version, implementation, prefix, basePrefix];
  if (!texts.every(isString) || !isListOfStrings(sitePackages) || !isListOfStrings(modules)) return null;
  return { version, implementation, prefix, basePrefix, sitePackages, modules } as PythonFacts;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isString(value: unknown): value is string {
  return typeof value === "string";
}

function isListOfStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isString);
}

/** The answer of `python/granary_probe.py`. */
export interface ProbeAnswer {
  /** The path of that Python; behind a shim, not the path that was started. */
  readonly executable: string;
  readonly facts: PythonFacts;
  readonly watched: Watched;
}

/** Files and folders on which the facts depend, with their modification times in nanoseconds; null if missing. */
export type Watched = Readonly<Record<string, string | null>>;

const mark = "\ngranary-probe: ";

/** Finds the answer in a Python's output; null if it is missing or incomplete. */
export function decodeAnswer(printed: string): ProbeAnswer | null {
  const start = printed.lastIndexOf(mark);
  const end = printed.indexOf("\n", start + mark.length);
  if (start === -1 || end === -1) return null;
  const value = parse(printed.slice(start + mark.length, end));
  const facts = decodeFacts(value);
  if (facts === null || !isRecord(value) || !isString(value.executable) || !isWatched(value.watched)) return null;
  return { executable: value.executable, facts, watched: value.watched };
}

export function isWatched(value: unknown): value is Watched {
  return isRecord(value) && Object.values(value).every((changedAt) => changedAt === null || isString(changedAt));
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
