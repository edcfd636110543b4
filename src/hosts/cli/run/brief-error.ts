import { sanitize } from "../../../output/text/sanitize.ts";
import { visibleText } from "../../../output/text/visible-text.ts";
import type { CellError } from "../../../session/cell/cell-verdict.ts";
import { sayCount } from "../../../support/say-count.ts";

const mostCharacters = 4000;
const mostFrames = 200;
const mostOfALine = 300;

/** An error for a document that somebody has to read: messages may quote whole tables. All of it is in the output, or in its artifact. */
export function briefError({ name, message, traceback }: CellError): CellError {
  const text = (each: string): string => sanitize(briefText(each));
  return { name: visibleText(name), message: text(message), traceback: fewFrames(traceback).map(text) };
}

/** What an error says, in the middle of a sentence. */
export function briefLine(message: string): string {
  const [line = ""] = message.split("\n", 1);
  return visibleText(line.length <= mostOfALine ? line : `${line.slice(0, mostOfALine)}…`);
}

/** What went wrong is said at the end, and where at the beginning. */
function briefText(text: string): string {
  if (text.length <= mostCharacters) return text;
  // Without the half of a character at the cut.
  const head = text.slice(0, mostCharacters / 2).replace(/[\ud800-\udbff]$/, "");
  const tail = text.slice(-mostCharacters / 2).replace(/^[\udc00-\udfff]/, "");
  return `${head}[… ${sayCount(text.length - head.length - tail.length, "character")} left out …]${tail}`;
}

function fewFrames(frames: readonly string[]): readonly string[] {
  if (frames.length <= mostFrames) return frames;
  const half = mostFrames / 2;
  const leftOut = `[… ${sayCount(frames.length - mostFrames, "frame")} left out …]`;
  return [...frames.slice(0, half), leftOut, ...frames.slice(-half)];
}
