import { GranaryError } from "../../support/granary-error.ts";
import type { FoundCellType } from "../cell.ts";
import { looksLikeMarker, type Marker, readMarker, unescapeMarkers } from "./cell-marker.ts";
import { readMarkdown, withoutBlankEnd } from "./commented-markdown.ts";
import { withUnixLineEnds } from "./line-ends.ts";

/** A cell of the text. */
export interface TextCell {
  readonly type: FoundCellType;
  /** The N of `cell:N`; null when the marker names none. */
  readonly cell: number | null;
  readonly source: string;
}

/** Parses cell text, without the outputs that it shows. */
export function parseCellText(text: string): TextCell[] {
  const cells: TextCell[] = [];
  for (const section of sections(withUnixLineEnds(text))) {
    const { marker } = section;
    if (marker.kind === "output") continue;
    // The newline before the next marker, or at the very end, belongs to the format and not to the cell.
    const content = section.lines.join("").replace(/\n$/, "");
    cells.push({ type: marker.kind, cell: marker.cell, source: sourceOf(marker, unescapeMarkers(content)) });
  }
  return cells;
}

function sourceOf({ kind, isBare }: Marker, content: string): string {
  if (kind === "markdown") return readMarkdown(content);
  return isBare ? withoutBlankEnd(content) : content;
}

interface Section {
  readonly marker: Marker;
  /** With their ends. */
  readonly lines: string[];
}

function sections(text: string): Section[] {
  const found: Section[] = [];
  const lines = text.match(/[^\n]*\n|[^\n]+/g) ?? [];
  lines.forEach((line, index) => {
    const last = found.at(-1);
    if (looksLikeMarker(line)) {
      const marker = readMarker(line);
      if (marker === null) throw notAMarker(line, index + 1);
      found.push({ marker, lines: [] });
    } else if (last === undefined) {
      throw textBeforeMarker(line, index + 1);
    } else {
      last.lines.push(line);
    }
  });
  return found;
}

const example = '"# %%", "# %% [code] cell:0", "# %% [markdown]" or "# %% [raw]"';

function textBeforeMarker(line: string, number: number): GranaryError {
  const what = line.trim() === "" ? "is blank" : "is not a marker";
  return new GranaryError(
    "invalid-cell-text",
    `The text has to begin with a cell marker, but line ${number} ${what}. Begin with a line such as ${example}.`,
    { details: { line: number } },
  );
}

function notAMarker(line: string, number: number): GranaryError {
  const shown = line.trimEnd().slice(0, 80);
  return new GranaryError(
    "invalid-cell-text",
    `Line ${number}, "${shown}", looks like a cell marker, but is not one. Write ${example}; ` +
      `or, if it is a line of the cell, put a backslash before the percent signs: "# \\%%".`,
    { details: { line: number } },
  );
}
