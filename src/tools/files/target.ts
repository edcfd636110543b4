import { parseRanges, type Range } from "../../output/artifacts/read/ranges.ts";
import { GranaryError } from "../../support/granary-error.ts";

/** A path with its options: `path:raw:10-20,40-60`, where both parts after the path are optional. */
export interface Target {
  readonly path: string;
  /** A notebook's JSON instead of its cell text. */
  readonly raw: boolean;
  /** Lines count from 1; null for all. */
  readonly ranges: readonly Range[] | null;
}

export function parseTarget(named: string): Target {
  const [, path = named, raw, lines] = /^(.+?)(:raw)?(?::([\d,-]+))?$/s.exec(named) ?? [];
  return { path, raw: raw !== undefined, ranges: lines === undefined ? null : rangesOf(lines) };
}

/** `artifact://main-3:10-20`; or `artifact://main-3?lines=10-20`, for programs that read a colon as the beginning of a port. */
export function parseArtifactTarget(named: string): Target {
  const [, path, lines] = /^([^?]*)\?lines=(.*)$/s.exec(named) ?? [];
  if (path === undefined || lines === undefined) return parseTarget(named);
  return { path, raw: false, ranges: rangesOf(lines.replace(/%2c/gi, ",")) };
}

function rangesOf(lines: string): readonly Range[] {
  const ranges = parseRanges(lines, 1);
  if (ranges !== null) return ranges;
  throw new GranaryError(
    "invalid-range",
    `"${lines}" is not a range of lines. Lines count from 1: 10-20, 10- to the end, -10 for the last ten, 5,10-20 for several.`,
  );
}
