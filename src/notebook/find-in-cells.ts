import { runInNewContext } from "node:vm";
import { GranaryError } from "../support/granary-error.ts";
import type { FoundCellType } from "./cell.ts";
import type { Notebook } from "./notebook.ts";

/** A line of a cell's source. */
export interface FoundCellLine {
  readonly index: number;
  readonly id: string | null;
  readonly type: FoundCellType;
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

const defaultLimitMs = 10_000;

/** The lines of all cells that match the pattern. A pattern that takes too long throws `search-too-slow`. */
export function findInCells(
  { cells }: Notebook,
  pattern: RegExp,
  { limitMs = defaultLimitMs }: { readonly limitMs?: number } = {},
): readonly FoundCellLine[] {
  const lines = cells.flatMap(({ id, type, source }, index) =>
    source.split("\n").map((text, at): FoundCellLine => ({ index, id, type, line: at + 1, text })),
  );
  const search = new Search(lines, pattern);
  try {
    // Only a separate context has a time limit. A regular expression such as (a+)+$ may never end.
    runInNewContext("search.run()", { search }, { timeout: limitMs });
  } catch (error) {
    const isLate = (error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
    throw isLate && search.current !== undefined ? tooSlow(search.current, limitMs) : error;
  }
  return search.found;
}

/** The regular expression that finds exactly this text. */
export function patternText(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

function tooSlow({ index, line }: FoundCellLine, limitMs: number): GranaryError {
  return new GranaryError(
    "search-too-slow",
    `The pattern takes longer than ${limitMs / 1000} s, and stopped at line ${line} of cell ${index}. ` +
      "Avoid nested repetition such as (a+)+, or search for plain text.",
    { details: { index, line } },
  );
}

class Search {
  readonly found: FoundCellLine[] = [];
  current: FoundCellLine | undefined;
  readonly #lines: readonly FoundCellLine[];
  readonly #pattern: RegExp;

  constructor(lines: readonly FoundCellLine[], pattern: RegExp) {
    this.#lines = lines;
    this.#pattern = pattern;
  }

  run(): void {
    for (const line of this.#lines) {
      this.current = line;
      this.#pattern.lastIndex = 0;
      if (this.#pattern.test(line.text)) this.found.push(line);
    }
  }
}
