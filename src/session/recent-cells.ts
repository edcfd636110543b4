import { sayCount } from "../support/say-count.ts";

/** A cell that a client ran in a session, as the other clients learn of it. */
export interface RecentCell {
  /** Counts from 1 in each session. */
  readonly number: number;
  readonly owner: string;
  /** The owner's name for people. */
  readonly by: string;
  readonly firstLine: string;
  /** When it began, in milliseconds of `performance.now()`. */
  readonly at: number;
}

const mostKept = 100;
const mostShown = 3;
const mostCharacters = 60;

/** The latest cells of a session, and who ran them. */
export class RecentCells {
  readonly #latest: RecentCell[] = [];
  #count = 0;

  /** How many there have been. */
  get count(): number {
    return this.#count;
  }

  get last(): RecentCell | null {
    return this.#latest.at(-1) ?? null;
  }

  add(owner: string, by: string, code: string): void {
    this.#count += 1;
    this.#latest.push({ number: this.#count, owner, by, firstLine: firstLineOf(code), at: performance.now() });
    if (this.#latest.length > mostKept) this.#latest.shift();
  }

  since(number: number, owner: string): readonly RecentCell[] {
    const later = this.#count - number;
    // Before each cell: most often, only the caller's own last one is later.
    return later <= 0 ? [] : this.#latest.slice(-later).filter((cell) => cell.owner !== owner);
  }
}

/** `Since your last call, console ran 2 cells: x = 5; df.dropna(inplace=True)` */
export function sayRecentCells(recentCells: readonly RecentCell[]): string | null {
  if (recentCells.length === 0) return null;
  const names = [...new Set(recentCells.map(({ by }) => by))].join(" and ");
  const lines = recentCells.slice(0, mostShown).map(({ firstLine }) => firstLine);
  const more = recentCells.length > mostShown ? "; …" : "";
  return `Since your last call, ${names} ran ${sayCount(recentCells.length, "cell")}: ${lines.join("; ")}${more}`;
}

/** The first line with code, for a list. Looks at no line behind it: every cell is asked, and some are long. */
export function firstLineOf(code: string): string {
  for (let start = 0; start < code.length; ) {
    const end = endOfLine(code, start);
    const line = code.slice(start, end).trim();
    if (line !== "" && !line.startsWith("#")) return shortened(line);
    start = end + 1;
  }
  return shortened(code.slice(0, endOfLine(code, 0)).trim());
}

function endOfLine(code: string, start: number): number {
  const end = code.indexOf("\n", start);
  return end === -1 ? code.length : end;
}

function shortened(line: string): string {
  return line.length > mostCharacters ? `${line.slice(0, mostCharacters - 1)}…` : line;
}
