import { resolveRanges } from "../../../output/artifacts/read/ranges.ts";
import type { OutputTruncation } from "../../../output/capture.ts";
import { wholeLines } from "../../../output/text/sanitize.ts";
import { GranaryError } from "../../../support/granary-error.ts";
import { sayCount } from "../../../support/say-count.ts";
import type { ReadDetails } from "../../definition/details.ts";
import type { Target } from "../target.ts";
import { type LineBudget, type TakenLines, takeLines } from "./take-lines.ts";

/** Something with lines: a file, an artifact, a notebook's cell text. */
export interface LineSource {
  /** Its name without the line range: the remedy begins with it. */
  readonly name: string;
  chunks(): AsyncIterable<Uint8Array>;
}

export type ShownLines = Pick<ReadDetails, "text" | "firstLine" | "totalLines" | "truncation"> & {
  readonly lastLine: number;
  /** The model's view: the text and its notes. */
  readonly forModel: string;
};

/** The requested lines, within the budget; then how to read on. */
export async function shownLines(
  source: LineSource,
  ranges: Target["ranges"],
  budget: LineBudget,
): Promise<ShownLines> {
  const wanted = ranges === null ? [{ from: 1, to: Number.POSITIVE_INFINITY }] : await stretches(source, ranges);
  const taken = await takeLines(source.chunks(), wanted, budget);
  const { parts, totalLines } = taken;
  const [first] = parts;
  if (first === undefined && ranges !== null) throw noSuchLines(source, totalLines);
  const text = parts.map((part) => part.text).join("");
  const firstLine = first?.from ?? 1;
  const lastLine = parts.at(-1)?.to ?? 0;
  return {
    text,
    firstLine,
    lastLine,
    totalLines,
    truncation: truncationOf(taken, text),
    forModel: forModel(source, taken, wanted.length > 1),
  };
}

/** Only ranges counted from the end require counting all lines first. */
async function stretches(source: LineSource, ranges: NonNullable<Target["ranges"]>) {
  if (!ranges.some((range) => "last" in range)) return resolveRanges(ranges, 1, Number.POSITIVE_INFINITY);
  let lines = 0;
  let isOpen = false;
  for await (const chunk of source.chunks()) {
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) lines++;
    isOpen = chunk.at(-1) !== newline;
  }
  return resolveRanges(ranges, 1, lines + (isOpen ? 1 : 0));
}

const newline = 0x0a;

function noSuchLines({ name }: LineSource, total: number | null): GranaryError {
  return new GranaryError("invalid-range", `There are no such lines: ${name} has ${sayCount(total ?? 0, "line")}.`);
}

function forModel({ name }: LineSource, taken: TakenLines, withHeaders: boolean): string {
  const { parts, nextLine, totalLines, shortened, isUtf8 } = taken;
  const text = parts
    .map((part) => (withHeaders ? `[lines ${part.from}-${part.to}]\n${wholeLines(part.text)}` : part.text))
    .join("");
  const [first] = parts;
  const isPart = first !== undefined && (first.from > 1 || parts.length > 1 || parts.at(-1)?.to !== totalLines);
  const of = totalLines === null ? "" : ` of ${totalLines.toLocaleString("en-US")}`;
  const shown = parts.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(",");
  const notes = [
    isPart ? `${/[-,]/.test(shown) ? "lines" : "line"} ${shown}${of}` : "",
    nextLine === null ? "" : `read on with ${name}:${nextLine}-`,
    shortened > 0 ? `${sayCount(shortened, "line")} too long to be shown whole` : "",
    isUtf8 ? "" : "not valid UTF-8: \ufffd marks invalid bytes",
    first === undefined ? "empty" : "",
  ].filter((note) => note !== "");
  return notes.length === 0 ? text : `${wholeLines(text)}[${notes.join("; ")}]`;
}

/** Null when all requested lines are there. */
function truncationOf(
  { parts, nextLine, totalLines, totalBytes, shortened }: TakenLines,
  text: string,
): OutputTruncation | null {
  if (nextLine === null && shortened === 0) return null;
  const shownLines = parts.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  const shownBytes = Buffer.byteLength(text);
  const lines = totalLines ?? shownLines;
  const bytes = totalBytes ?? shownBytes;
  return {
    totalLines: lines,
    totalBytes: bytes,
    shownLines,
    shownBytes,
    elidedLines: lines - shownLines,
    elidedBytes: Math.max(0, bytes - shownBytes),
    artifact: null,
    problem: null,
  };
}
