import { type FrameStart, frameStart, isFrameBody } from "../../output/traceback/frame-lines.ts";
import { highlight } from "../highlight/highlight.ts";
import { printableLines } from "../text/printable.ts";
import type { Theme } from "../theme/theme.ts";

/**
 * A traceback with styles: the frames, their code, and the exception. Lines keep their length, so
 * that paths can be copied.
 */
export function renderTracebackLines(text: string, theme: Theme): readonly string[] {
  return linesInFrames(text).map(({ line, frame, begins }) => {
    if (begins) return theme.muted(line);
    if (frame !== null) return frame.style === "ipython" ? numberedCode(line, theme) : codeBelow(line, frame, theme);
    return isAround(line) ? theme.muted(line) : theme.error(line);
  });
}

/** A traceback as it is, in which only what was raised stands out. */
export function raisedLines(text: string, theme: Theme): readonly string[] {
  return linesInFrames(text).map(({ line, frame }) => (frame === null && !isAround(line) ? theme.error(line) : line));
}

interface LineInFrame {
  readonly line: string;
  /** Null outside of all frames. */
  readonly frame: FrameStart | null;
  readonly begins: boolean;
}

function linesInFrames(text: string): readonly LineInFrame[] {
  let frame: FrameStart | null = null;
  return printableLines(text).map((line) => {
    const start = frameStart(line);
    frame = start ?? (frame !== null && isFrameBody(line, frame) ? frame : null);
    return { line, frame, begins: start !== null };
  });
}

/** Python's own: the code is below the location, and markers may be below the code. */
function codeBelow(line: string, { margin }: FrameStart, theme: Theme): string {
  const code = line.slice(margin.length);
  const isMark = /^ *[\^~]+ *$/.test(code);
  if (isMark) return theme.muted(margin) + theme.error(code);
  return code.startsWith("  [Previous line") ? theme.muted(line) : theme.muted(margin) + python(code, theme);
}

/** IPython's: several numbered lines, and an arrow before the one that failed. */
function numberedCode(line: string, theme: Theme): string {
  const [, before = "", code = ""] = /^((?:-+>\s*|\s+)(?:\d+ ?|\(\.\.\.\)))(.*)$/.exec(line) ?? ["", line];
  const paint = before.startsWith("-") ? theme.error : theme.muted;
  return paint(before) + python(code, theme);
}

const python = (code: string, theme: Theme): string => highlight([code], "python", theme).join("");

/** Sentences between exceptions, such as "During handling of the above exception". */
function isAround(line: string): boolean {
  return (
    line.trim() === "" ||
    /^[\s|+]*(?:(?:Exception Group )?Traceback \(most recent call last\)|-{5,}|\[(?:\d|the ))/.test(line) ||
    // IPython's first line has the exception's name, which the last one says again.
    /^\S+ +Traceback \(most recent call last\)$/.test(line) ||
    /^(?:During handling of the above|The above exception was)/.test(line)
  );
}
