import { linesInsideStrings } from "./inside-strings.ts";
import { isPercentMarker, readPercentMarker } from "./percent-marker.ts";

/** The lines that begin a cell: neither inside a string nor, in Markdown, inside a fenced block. */
export function findMarkers(lines: readonly string[]): number[] {
  const isInside = linesInsideStrings(lines);
  const fences = new Fences(lines);
  const found: number[] = [];
  let isText = false;
  let endOfFence = -1;
  for (const [at, line] of lines.entries()) {
    if (isInside[at] || at <= endOfFence) continue;
    if (isPercentMarker(line)) {
      found.push(at);
      isText = readPercentMarker(line).type !== "code";
    } else if (isText) {
      endOfFence = fences.endOf(at);
    }
  }
  return found;
}

const fence = /^# ? {0,3}(`{3,}|~{3,})(.*)$/;

/** Fenced blocks in commented Markdown. Diagrams inside them have comments that begin with `%%`. */
class Fences {
  readonly #lines: readonly string[];
  /** For each kind of fence, the shortest one that is not closed, and up to which line. */
  readonly #unclosed = new Map<string, { readonly length: number; readonly until: number }>();

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  /** The line that closes the fence that begins here; -1 without a fence, or when the comment ends before it closes. */
  endOf(start: number): number {
    const [, opening = "", info = ""] = fence.exec(this.#lines[start] as string) ?? [];
    const kind = opening[0];
    if (kind === undefined || (kind === "`" && info.includes("`"))) return -1;
    const unclosed = this.#unclosed.get(kind);
    if (unclosed !== undefined && start < unclosed.until && opening.length >= unclosed.length) return -1;
    for (let at = start + 1; ; at++) {
      const line = this.#lines[at];
      if (line === undefined || !line.startsWith("#")) {
        this.#unclosed.set(kind, { length: opening.length, until: at });
        return -1;
      }
      const [, closing = "", rest = ""] = fence.exec(line) ?? [];
      if (closing.startsWith(opening) && rest.trim() === "") return at;
    }
  }
}
