import { sayCount } from "../support/say-count.ts";
import type { BashDetails, CellDetails } from "../tools/definition/details.ts";
import { cellNotices } from "./cell-block.ts";
import { sayElapsed } from "./lines/elapsed.ts";
import { noticeLines } from "./lines/notice-lines.ts";
import type { OutputOptions } from "./lines/output-lines.ts";
import { interactivePreviewLines } from "./lines/preview-lines.ts";
import { renderOrderedOutput } from "./output/ordered-output.ts";
import { bashOutput, sayExit } from "./results/bash-result.ts";
import type { ViewOptions } from "./view-options.ts";

/** Of a line. */
const mostCharacters = 4000;
/** Show durations above this. */
const worthTellingMs = 1000;

export interface InteractiveCell extends Omit<CellDetails, "status"> {
  readonly status: CellDetails["status"] | "timeout";
}

/** A command's folder is not shown: the person who typed it knows it. */
export type InteractiveCommand = Omit<BashDetails, "cwd">;

export interface InteractiveOptions extends ViewOptions, Pick<OutputOptions, "keeps"> {
  /** Rows of output in the preview; fewer, where there are fewer. */
  readonly previewLines?: number | undefined;
}

/**
 * The result of something that a person typed: Python or a command. The code is on the screen already.
 * Shows the beginning and the end of a long output, cuts very long lines, and adds a notice after a failure.
 */
export function renderInteractive(
  work: InteractiveCell | InteractiveCommand,
  options: InteractiveOptions,
): readonly string[] {
  const previewLines = options.previewLines ?? interactivePreviewLines;
  const inside = { ...options, previewLines, keeps: options.keeps ?? "both-ends" };
  const lines =
    "command" in work ? bashOutput({ ...work, output: clampLines(work.output) }, inside) : cellOutput(work, inside);
  return [...lines, ...endNotice(work, options)];
}

function cellOutput(cell: InteractiveCell, options: OutputOptions): readonly string[] {
  return [...renderOrderedOutput(cell, options, { shorten: clampLines }), ...cellNotices(cell, options)];
}

/** A line of a million characters would fill the screen a thousand times. */
function clampLines(text: string): string {
  if (text.length <= mostCharacters) return text;
  return text
    .split("\n")
    .map((line) => (line.length <= mostCharacters ? line : `${wholeCharacters(line)} … ${left(line)}`))
    .join("\n");
}

const wholeCharacters = (line: string): string => line.slice(0, mostCharacters).replace(/[\ud800-\udbff]$/, "");

const left = (line: string): string => sayCount(line.length - wholeCharacters(line).length, "more character");

/** The status, where the output does not show it. */
function endNotice(work: InteractiveCell | InteractiveCommand, options: ViewOptions): readonly string[] {
  const { theme, now } = options;
  const took = work.durationMs !== null && work.durationMs >= worthTellingMs ? sayElapsed(work.durationMs) : null;
  const after = took === null ? "" : ` after ${took}`;
  switch (work.status) {
    case "running":
      return now === undefined || work.startedAt === null
        ? []
        : noticeLines([`running ${sayElapsed(now - work.startedAt)}`], options, theme.running);
    case "cancelled":
      return noticeLines([`cancelled${after}`], options);
    case "timeout":
      return noticeLines([`timed out${after}`], options);
    case "error":
      if ("command" in work) return noticeLines(hasRun(work) ? [`${sayExit(work)}${after}`] : [], options, theme.error);
      // The output has the exception already.
      return noticeLines(took === null ? [] : [`failed${after}`], options, theme.error);
    case "skipped":
      return noticeLines(["not run"], options, theme.muted);
    case "complete":
      return noticeLines(took === null ? [] : [`took ${took}`], options, theme.muted);
    default:
      return [];
  }
}

/** A command that could not run is a notice. */
function hasRun({ exitCode, signal }: InteractiveCommand): boolean {
  return exitCode !== null || signal !== null;
}
