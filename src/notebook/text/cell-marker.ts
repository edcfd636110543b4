import { cellTypes, type FoundCellType } from "../cell.ts";

/**
 * The line that begins a cell in cell text: `# %% [code] cell:3`, or `# %%` for a new code cell. Every line that begins with `# %%` is one, so a line of
 * a cell that begins that way gets a backslash, `# \%%`, and loses it again when it is read.
 */
export interface Marker {
  /** `output` is a cell's output: shown for reading, and ignored when the text is written back. */
  readonly kind: FoundCellType | "output";
  readonly cell: number | null;
  /** `# %%`, as other editors write it; Granary never does. */
  readonly isBare: boolean;
}

export function writeMarker(kind: Marker["kind"], cell: number): string {
  return kind === "output" ? `# %% [output] cell:${cell} (read-only)` : `# %% [${kind}] cell:${cell}`;
}

export function looksLikeMarker(line: string): boolean {
  return line.startsWith("# %%");
}

/** Null for a line that looks like a marker but is not one. */
export function readMarker(line: string): Marker | null {
  if (line.trimEnd() === "# %%") return { kind: "code", cell: null, isBare: true };
  const match = markerLine.exec(line);
  if (match === null) return null;
  const [, kind, cell] = match;
  return { kind: kind as Marker["kind"], cell: cell === undefined ? null : Number(cell), isBare: false };
}

/** Works on a whole source: only the beginning of a line matters. */
export function escapeMarkers(source: string): string {
  return source.replace(/^# (\\*)%%/gm, "# \\$1%%");
}

export function unescapeMarkers(text: string): string {
  return text.replace(/^# \\(\\*)%%/gm, "# $1%%");
}

const markerLine = new RegExp(
  `^# %% \\[(${cellTypes.join("|")}|unknown|output)\\](?: cell:(\\d+))?(?: \\(read-only\\))?\\s*$`,
);
