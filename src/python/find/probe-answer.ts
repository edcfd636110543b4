import type { PythonFacts } from "../interpreter.ts";
import { decodeFacts, isRecord, isString } from "./python-facts.ts";

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
