import { sayCount } from "../../support/say-count.ts";
import type { TracebackPiece } from "./read-traceback.ts";
import { libraryOf } from "./traceback.ts";

/**
 * Folds lines of a traceback that readers skip: runs of library frames, and recursion. The place of the
 * exception stays: the innermost frame, and all frames of the user's code.
 */
export function foldFrames(all: readonly TracebackPiece[]): string[] {
  const pieces = all.filter((piece) => piece.type !== "frame" || !isOwnCall(piece));
  const lines: string[] = [];
  for (let at = 0; at < pieces.length; ) {
    const end = endOfStack(pieces, at);
    const stack = pieces.slice(at, end).filter((piece) => piece.type === "frame");
    if (stack.length > 0) lines.push(...withoutRepeats(withoutLibraries(stack)));
    else lines.push(...(pieces[at]?.lines ?? []));
    at = Math.max(end, at + 1);
  }
  return lines;
}

type FramePiece = Extract<TracebackPiece, { type: "frame" }>;

/** The cell that Granary makes to call a function marked with `@tool`: the user did not write it. */
function isOwnCall({ frame }: FramePiece): boolean {
  return /^(?:await )?__import__\("granary_prelude\.python_tools"/.test(frame.source ?? "");
}

/** Lines that are kept or folded together; blocks with the same key have the same meaning. */
export interface FoldUnit {
  readonly key: string;
  readonly indent: string;
  readonly lines: readonly string[];
}

function endOfStack(pieces: readonly TracebackPiece[], start: number): number {
  let end = start;
  while (pieces[end]?.type === "frame") end++;
  return end;
}

function withoutLibraries(stack: readonly FramePiece[]): FoldUnit[] {
  const units: FoldUnit[] = [];
  for (let at = 0; at < stack.length; ) {
    let end = at;
    while (end < stack.length - 1 && stack[end]?.frame.kind === "library") end++;
    if (end - at >= 2) units.push(foldedLibraries(stack.slice(at, end)));
    else units.push(...stack.slice(at, Math.max(end, at + 1)).map(unitOf));
    at = Math.max(end, at + 1);
  }
  return units;
}

function unitOf({ frame, start, lines }: FramePiece): FoldUnit {
  const { file, line, function: name } = frame;
  return { key: JSON.stringify([file, line, name, lines.length]), indent: indentOf(start), lines };
}

function foldedLibraries(frames: readonly FramePiece[]): FoldUnit {
  const names = [...new Set(frames.map(({ frame }) => libraryOf(frame.file) ?? ""))];
  const shown = names.slice(0, 3).join(", ") + (names.length > 3 ? ", …" : "");
  const [first] = frames;
  const indent = first ? indentOf(first.start) : "";
  const line = `${indent}[${sayCount(frames.length, "frame")} in ${shown}]`;
  // IPython separates its frames with an empty line.
  return { key: line, indent, lines: first?.start.style === "ipython" ? [line, ""] : [line] };
}

function indentOf({ style, margin }: FramePiece["start"]): string {
  return style === "python" ? `${margin}  ` : "    ";
}

const longestCycle = 12;

/** Python folds a function that calls itself; here, also functions that call each other in turn. */
export function withoutRepeats(units: readonly FoldUnit[]): string[] {
  const lines: string[] = [];
  for (let at = 0; at < units.length; ) {
    const { length, times } = cycleAt(units, at);
    for (const unit of units.slice(at, at + length)) lines.push(...unit.lines);
    if (times > 1) {
      const what = length === 1 ? "the frame above" : `the ${length} frames above`;
      lines.push(`${units[at]?.indent}[${what} repeated ${sayCount(times - 1, "more time")}]`);
    }
    at += length * times;
  }
  return lines;
}

/** The shortest sequence from here on that repeats at least three times, and its number of repetitions. */
function cycleAt(units: readonly FoldUnit[], at: number): { readonly length: number; readonly times: number } {
  for (let length = 1; length <= longestCycle && at + 3 * length <= units.length; length++) {
    let same = 0;
    while (units[at + same]?.key === units[at + same + length]?.key && at + same + length < units.length) same++;
    const times = 1 + Math.floor(same / length);
    if (times >= 3) return { length, times };
  }
  return { length: 1, times: 1 };
}
