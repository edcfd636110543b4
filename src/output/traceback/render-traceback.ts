import { sayCount } from "../say-size.ts";
import { foldFrames } from "./fold-frames.ts";
import { readTraceback } from "./read-traceback.ts";
import type { ReportedException } from "./traceback.ts";

export interface TracebackLimits {
  readonly lines: number;
  /** Of one line: messages may quote whole tables. */
  readonly lineCharacters: number;
}

const tracebackLimits: TracebackLimits = { lines: 200, lineCharacters: 2000 };

export interface RenderedTraceback {
  /** For people and models: without colours, with libraries and recursion folded. */
  readonly text: string;
  /** In the order in which they were raised; every frame is here, the folded ones too. */
  readonly exceptions: readonly ReportedException[];
}

/** @param traceback the lines of an `error` event, from whichever kernel */
export function renderTraceback(
  traceback: readonly string[],
  limits: TracebackLimits = tracebackLimits,
): RenderedTraceback {
  const { pieces, exceptions } = readTraceback(traceback);
  const lines = foldFrames(pieces).map((line) => clipped(line, limits.lineCharacters));
  return { text: headAndTail(lines, limits.lines).join("\n").trimEnd(), exceptions };
}

function clipped(line: string, most: number): string {
  if (line.length <= most) return line;
  const start = line.slice(0, most).replace(/[\ud800-\udbff]$/, "");
  return `${start}… ${sayCount(line.length - start.length, "more character")}`;
}

/** The end says what went wrong and where, so most of the room is for it. */
function headAndTail(lines: readonly string[], most: number): readonly string[] {
  if (lines.length <= most) return lines;
  const head = Math.floor(most / 3);
  const tail = most - head - 1;
  const leftOut = `  [${sayCount(lines.length - head - tail, "line")} left out]`;
  return [...lines.slice(0, head), leftOut, ...lines.slice(lines.length - tail)];
}
