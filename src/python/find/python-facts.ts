import type { PythonFacts } from "../interpreter.ts";

/** Granary is made for CPython. PyPy has the same signals, pipes and forks; the others do not. */
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

/** Null if this is something else. The input comes from the probe, or from a file that any program may have changed. */
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
