import type { PythonFacts } from "../interpreter.ts";
import { decodeFacts, isRecord, isString } from "./python-facts.ts";

/** What `python/granary_probe.py` answers. */
export interface ProbeAnswer {
  /** Where that Python is; behind a shim somewhere else than what was started. */
  readonly executable: string;
  readonly facts: PythonFacts;
  readonly watched: Watched;
}

/** Files and folders on which the facts depend, with when they last changed, in nanoseconds; null where nothing is. */
export type Watched = Readonly<Record<string, string | null>>;

const mark = "\ngranary-probe: ";

/** Finds the answer in what a Python printed; null when it is not, or not all, there. */
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
