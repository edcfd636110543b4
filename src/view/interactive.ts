import type { BashDetails, CellDetails } from "../tools/details.ts";
import { cellOutput } from "./cell-block.ts";
import { sayElapsed } from "./elapsed.ts";
import { noticeLines } from "./notice-lines.ts";
import { interactivePreviewLines } from "./preview-lines.ts";
import { bashOutput, sayExit } from "./results/bash-result.ts";
import type { ViewOptions } from "./view-options.ts";

const mostCharacters = 4000;

export interface InteractiveOptions extends ViewOptions {
  /** Rows of output when it is not expanded; fewer, where there are fewer. */
  readonly previewLines?: number | undefined;
}

/**
 * What came of something that a person typed: Python or a command. The code is not shown, it is on the screen already.
 * The end of a long output, very long lines cut, and a notice when it did not end well.
 */
export function renderInteractive(work: CellDetails | BashDetails, options: InteractiveOptions): readonly string[] {
  const inside = { ...options, previewLines: options.previewLines ?? interactivePreviewLines };
  const output = clampLines(work.output);
  const lines = "command" in work ? bashOutput({ ...work, output }, inside) : cellOutput({ ...work, output }, inside);
  return [...lines, ...endNotice(work, options)];
}

/** A line of a million characters would fill the screen a thousand times. */
function clampLines(text: string): string {
  if (text.length <= mostCharacters) return text;
  return text
    .split("\n")
    .map((line) => (line.length <= mostCharacters ? line : `${wholeCharacters(line)} … ${left(line)} more characters`))
    .join("\n");
}

const wholeCharacters = (line: string): string => line.slice(0, mostCharacters).replace(/[\ud800-\udbff]$/, "");

const left = (line: string): string => (line.length - wholeCharacters(line).length).toLocaleString("en-US");

/** How it is going, or how it ended unless it ended well. */
function endNotice(work: CellDetails | BashDetails, options: ViewOptions): readonly string[] {
  const { theme, now } = options;
  const took = work.durationMs === null ? "" : ` after ${sayElapsed(work.durationMs)}`;
  switch (work.status) {
    case "running":
      return now === undefined || work.startedAt === null
        ? []
        : noticeLines([`running ${sayElapsed(now - work.startedAt)}`], options, theme.running);
    case "cancelled":
      return noticeLines([`cancelled${took}`], options);
    case "timeout":
      return noticeLines([`timed out${took}`], options);
    case "error":
      return noticeLines([`${"command" in work ? sayExit(work) : "failed"}${took}`], options, theme.error);
    case "skipped":
      return noticeLines(["not run"], options, theme.muted);
    default:
      return [];
  }
}
