import { GranaryError } from "../../support/granary-error.ts";
import { sayCount } from "../../support/say-count.ts";

/** Lines from `first` to `last`, both included, counted from 1. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

export interface NotebookSelector {
  readonly path: string;
  /** The file's JSON instead of the cell text. */
  readonly raw: boolean;
  /** Null for all lines. */
  readonly ranges: readonly LineRange[] | null;
}

/** Parses `path:raw:10-20,40-60`; both parts after the path are optional. */
export function parseSelector(selector: string): NotebookSelector {
  const match = /^(.+?)(:raw)?(?::([\d,-]+))?$/s.exec(selector);
  const [, path = selector, raw, lines] = match ?? [];
  return { path, raw: raw !== undefined, ranges: lines === undefined ? null : lines.split(",").map(parseRange) };
}

/** The selected lines with their ends, in the requested order. */
export function selectLines(text: string, ranges: readonly LineRange[] | null): string {
  if (ranges === null) return text;
  const lines = text.match(/[^\n]*\n|[^\n]+/g) ?? [];
  const parts = ranges.map(({ first, last }) => {
    if (first > lines.length) throw beyondEnd(first, lines.length);
    return lines.slice(first - 1, last).join("");
  });
  // Only the last line of the text may lack an end; another line may follow it here.
  return parts.map((part, index) => (index < parts.length - 1 && !part.endsWith("\n") ? `${part}\n` : part)).join("");
}

function parseRange(range: string): LineRange {
  const match = /^(\d+)(?:(-)(\d*))?$/.exec(range);
  if (match !== null) {
    const first = Number(match[1]);
    const last = match[2] === undefined ? first : match[3] === "" ? Number.POSITIVE_INFINITY : Number(match[3]);
    if (first >= 1 && last >= first) return { first, last };
  }
  throw new GranaryError(
    "invalid-selector",
    `"${range}" is not a range of lines. Lines count from 1: use 10, 10-20, 10- or several with commas.`,
  );
}

function beyondEnd(line: number, total: number): GranaryError {
  return new GranaryError("invalid-selector", `There is no line ${line}: the text has ${sayCount(total, "line")}.`, {
    details: { line, totalLines: total },
  });
}
