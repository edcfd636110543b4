import { isAsItWasRun } from "../../../../execute/notebook/check/execution-times.ts";
import type { NotebookCell } from "../../../../notebook/cell.ts";
import { highlight } from "../../../../view/highlight/highlight.ts";
import { sayElapsed } from "../../../../view/lines/elapsed.ts";
import { statusMark } from "../../../../view/lines/status-mark.ts";
import { renderMarkdown } from "../../../../view/markdown.ts";
import { clamp } from "../../../../view/text/fit.ts";
import { printableLines } from "../../../../view/text/printable.ts";
import { visibleWidth } from "../../../../view/text/styled-text.ts";
import { fold } from "../../../../view/text/wrap.ts";
import type { Theme } from "../../../../view/theme/theme.ts";
import type { CellRunState } from "../cell-runs.ts";
import { type OutputLine, type OutputRoom, outputLines } from "./output-lines.ts";
import type { PaintedPiece } from "./output-pieces.ts";

/** A line of a cell, without its prefix. */
export interface CellLine extends OutputLine {
  /** The part of the cell that has the line. */
  readonly part: "head" | "source" | "output";
}

export interface CellLook extends OutputRoom {
  readonly progress: CellRunState | undefined;
  /** `Date.now()` */
  readonly now: number;
}

/** A cell as lines: its state, source and output. */
export function cellLines(cell: NotebookCell, pieces: readonly PaintedPiece[], look: CellLook): readonly CellLine[] {
  return [
    { part: "head", text: headLine(cell, look) },
    ...sourceLines(cell, look).map((text) => ({ part: "source", text }) as const),
    ...outputLines(pieces, look).map((line) => ({ part: "output", ...line }) as const),
  ];
}

/** `[3] ✓ 0.2 s ────` */
export function headLine(cell: NotebookCell, look: CellLook): string {
  const { theme, width } = look;
  const words = [theme.muted(label(cell, look.progress)), ...progressWords(cell, look)].join(" ");
  const rule = Math.max(0, width - visibleWidth(words) - 1);
  return clamp(`${words} ${theme.border("─".repeat(rule))}`, width);
}

function label(cell: NotebookCell, progress: CellRunState | undefined): string {
  if (cell.type !== "code") return cell.type;
  const isUnderWay = progress?.type === "running" || progress?.type === "waiting";
  return `[${isUnderWay ? "*" : (cell.executionCount ?? " ")}]`;
}

function progressWords(cell: NotebookCell, { progress, theme, now }: CellLook): readonly string[] {
  if (cell.type !== "code") return [];
  switch (progress?.type) {
    case "waiting":
      return [statusMark("pending", theme)];
    case "running":
      return [statusMark("running", theme), theme.running(sayElapsed(now - progress.since))];
    case "over":
      return [
        statusMark(progress.status, theme),
        theme.muted(sayElapsed(progress.durationMs)),
        ...staleness(cell, theme),
      ];
    default:
      return staleness(cell, theme);
  }
}

function staleness(cell: NotebookCell, theme: Theme): readonly string[] {
  return isAsItWasRun(cell) === false ? [theme.warning("edited since it ran")] : [];
}

function sourceLines(cell: NotebookCell, { width, theme }: CellLook): readonly string[] {
  const { source, type } = cell;
  if (source === "") return [theme.muted("(empty)")];
  if (type === "markdown") return renderMarkdown(source, { width, theme });
  const lines = printableLines(source);
  const styled = type === "code" ? highlight(lines, "python", theme) : lines;
  return styled.flatMap((line) => fold(line, width));
}
