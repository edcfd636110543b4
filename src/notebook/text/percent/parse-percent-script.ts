import type { JsonObject } from "../../../support/json/value.ts";
import type { CellType } from "../../cell.ts";
import { withUnixLineEnds } from "../line-ends.ts";
import { findMarkers } from "./find-markers.ts";
import { fromForeignCell } from "./foreign-cell.ts";
import { uncommentMagics } from "./magic-comments.ts";
import { readHeader } from "./percent-header.ts";
import { readPercentMarker } from "./percent-marker.ts";
import { plainText } from "./text-lines.ts";

export interface PercentCell {
  readonly type: CellType;
  readonly source: string;
  readonly metadata: JsonObject;
}

/** Parses a percent script. Text before the first marker is a code cell, unless it is a header or blank. */
export function parsePercentScript(script: string): PercentCell[] {
  const { rawCell, rest: lines } = readHeader(withUnixLineEnds(script).split("\n"));
  const starts = findMarkers(lines);
  const cells = starts.map((start, index): PercentCell => {
    const { type, metadata } = readPercentMarker(lines[start] as string);
    const content = lines.slice(start + 1, starts[index + 1] ?? lines.length);
    const foreign = type === "code" ? fromForeignCell(metadata, foreignBody(content)) : null;
    return { type, ...(foreign ?? { source: sourceOf(type, content), metadata }) };
  });
  const before = sourceOf("code", lines.slice(0, starts[0] ?? lines.length));
  if (before.trim() !== "") cells.unshift({ type: "code", source: before, metadata: {} });
  if (rawCell !== null) cells.unshift({ type: "raw", source: rawCell, metadata: {} });
  return cells;
}

function sourceOf(type: CellType, lines: readonly string[]): string {
  const content = withoutSpacing(lines);
  return type === "code" ? uncommentMagics(content.join("\n")) : plainText(content);
}

function foreignBody(lines: readonly string[]): string | null {
  const content = withoutSpacing(lines);
  return content.length === 0 ? null : plainText(content);
}

/** One or two blank lines are the spacing of Python's style guide; more belong to the cell. */
function withoutSpacing(lines: readonly string[]): readonly string[] {
  const end = lines.findLastIndex((line) => line.trim() !== "") + 1;
  const blank = lines.length - end;
  return blank <= 2 || end === 0 ? lines.slice(0, end) : lines.slice(0, lines.length - 1);
}
