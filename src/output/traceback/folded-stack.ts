import type { StackFrame } from "../../kernel/kernel.ts";
import { sayCount } from "../../support/say-count.ts";
import { type FoldUnit, withoutRepeats } from "./fold-frames.ts";
import { frameKind, libraryOf } from "./traceback.ts";

/**
 * The lines of a stack, outermost first: the user's own frames, the innermost, and the number of library frames between them;
 * of a recursion, one round.
 */
export function foldedStack(frames: readonly StackFrame[]): readonly string[] {
  const units: FoldUnit[] = [];
  const add = (line: string): void => void units.push({ key: line, indent: "    ", lines: [line] });
  let folded: StackFrame[] = [];
  const fold = (): void => {
    if (folded.length > 0) add(`    [${sayCount(folded.length, "frame")} in ${librariesOf(folded)}]`);
    folded = [];
  };
  for (const [index, frame] of frames.entries()) {
    const isShown = frameKind(frame.file) !== "library" || index === frames.length - 1;
    if (!isShown) {
      folded.push(frame);
      continue;
    }
    fold();
    add(sayFrame(frame));
  }
  return withoutRepeats(units);
}

function sayFrame({ file, line, function: name, source }: StackFrame): string {
  const where = name === "<module>" ? "" : ` in ${name}`;
  return `  ${file}:${line ?? "?"}${where}${source === null ? "" : `: ${source}`}`;
}

const mostNames = 3;

function librariesOf(frames: readonly StackFrame[]): string {
  const names = [...new Set(frames.map(({ file }) => libraryOf(file) ?? "Python"))];
  return names.slice(0, mostNames).join(", ") + (names.length > mostNames ? ", …" : "");
}
