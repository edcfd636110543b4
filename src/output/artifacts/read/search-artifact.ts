import { StringDecoder } from "node:string_decoder";
import { createContext, Script } from "node:vm";
import { GranaryError } from "../../../support/granary-error.ts";
import type { StoredArtifact } from "./list-artifacts.ts";
import type { Range } from "./ranges.ts";
import { findStretches, type ReadArtifactOptions, readWholeArtifact } from "./read-artifact.ts";

export interface SearchOptions extends ReadArtifactOptions {
  /** Only these lines; all of them by default. */
  readonly lines?: readonly Range[] | undefined;
  /** Timeout of a regular expression for a few thousand lines; a good one takes milliseconds. */
  readonly timeoutMs?: number;
}

export interface FoundArtifactLine {
  /** From 1. */
  readonly line: number;
  /** Without the line end. Of a long line, the part around the first match. */
  readonly text: string;
}

/**
 * The lines that contain a text, or match a regular expression, as they are found. Searches a line of more than a million
 * characters in overlapping pieces.
 */
export async function* searchArtifact(
  artifact: StoredArtifact,
  pattern: string | RegExp,
  { signal, lines = wholeFile, timeoutMs = 2000 }: SearchOptions = {},
): AsyncGenerator<FoundArtifactLine, void, undefined> {
  const stretches = await findStretches(artifact, lines, { signal });
  const search = typeof pattern === "string" ? plainSearch(pattern) : boundedSearch(pattern, timeoutMs);
  let lastFound = 0;
  for await (const block of blocksOf(readWholeArtifact(artifact, { signal }))) {
    const isBehindTheLast = stretches.every(({ to }) => to < block.firstLine);
    if (isBehindTheLast) return;
    for (const found of search(block)) {
      const isWanted = stretches.some(({ from, to }) => from <= found.line && found.line <= to);
      const isAnotherPiece = found.line === lastFound;
      if (isWanted && !isAnotherPiece) yield found;
      lastFound = found.line;
    }
  }
}

/** Whole lines, without the end of the last one; or a piece of a very long one. */
interface Block {
  readonly text: string;
  readonly firstLine: number;
}

type Search = (block: Block) => readonly FoundArtifactLine[];

const wholeFile: readonly Range[] = [{ from: 1, to: Number.POSITIVE_INFINITY }];
const longLine = 1024 * 1024;
const overlap = 4096;

async function* blocksOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Block, void, undefined> {
  // Faster than `TextDecoder`.
  const decoder = new StringDecoder("utf8");
  let line = 1;
  let rest = "";
  for await (const chunk of chunks) {
    const text = rest + decoder.write(chunk);
    const end = text.lastIndexOf("\n");
    rest = text.slice(end + 1);
    if (end !== -1) {
      yield { text: text.slice(0, end), firstLine: line };
      line += countNewlines(text);
    }
    if (rest.length > longLine) {
      yield { text: rest, firstLine: line };
      rest = rest.slice(-overlap);
    }
  }
  rest += decoder.end();
  if (rest !== "") yield { text: rest, firstLine: line };
}

function countNewlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

function plainSearch(wanted: string): Search {
  return (block) =>
    // Most blocks need not be cut into lines.
    block.text.includes(wanted) ? searchLines(block, (line) => line.indexOf(wanted)) : [];
}

/** Some expressions take years for a short line, and JavaScript has no other way to stop them. */
function boundedSearch(pattern: RegExp, timeoutMs: number): Search {
  let block: Block = { text: "", firstLine: 1 };
  const context = createContext({ search: () => searchLines(block, (line) => line.search(pattern)) });
  const script = new Script("search()");
  return (next) => {
    block = next;
    try {
      return script.runInContext(context, { timeout: timeoutMs }) as FoundArtifactLine[];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      throw tooSlow(pattern, next, error);
    }
  };
}

function searchLines({ text, firstLine }: Block, placeIn: (line: string) => number): readonly FoundArtifactLine[] {
  const found: FoundArtifactLine[] = [];
  for (const [index, ended] of text.split("\n").entries()) {
    const line = ended.endsWith("\r") ? ended.slice(0, -1) : ended;
    const place = placeIn(line);
    if (place !== -1) found.push({ line: firstLine + index, text: excerpt(line, place) });
  }
  return found;
}

const shown = { before: 100, after: 300 };

function excerpt(line: string, place: number): string {
  if (line.length <= shown.before + shown.after) return line;
  const start = Math.max(0, place - shown.before);
  const end = Math.min(line.length, place + shown.after);
  return `${start > 0 ? "…" : ""}${line.slice(start, end)}${end < line.length ? "…" : ""}`;
}

function tooSlow(pattern: RegExp, { firstLine }: Block, cause: unknown): GranaryError {
  return new GranaryError(
    "search-too-slow",
    `${pattern} takes too long for lines from ${firstLine} on. Something repeated within something repeated, such as (a+)+, does that; a plain text never does.`,
    { cause },
  );
}
