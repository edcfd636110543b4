import { z } from "zod";
import { sayCount } from "../../support/say-count.ts";

/** The allowed range, in seconds. */
const shortest = 1;
const longest = 600;

export const timeoutInput = z.number().describe("seconds to wait");

export interface TimeLimit {
  readonly ms: number;
  /** Sentences for the model: a value out of range is not refused, but its correction is reported. */
  readonly notices: readonly string[];
}

export function timeLimit(asked: number | undefined, usualSeconds: number): TimeLimit {
  const seconds = asked ?? usualSeconds;
  const allowed = Math.min(longest, Math.max(shortest, seconds));
  if (allowed === seconds) return { ms: seconds * 1000, notices: [] };
  const notice = `timeout is ${sayCount(allowed, "second")} here: ${seconds} is not between ${shortest} and ${longest}.`;
  return { ms: allowed * 1000, notices: [notice] };
}
