import { sayCount } from "../../support/say-count.ts";

/** How much of an output is shown, in lines and in bytes of UTF-8; what is shown and what is left out is all there is. */
export interface Truncation {
  readonly totalLines: number;
  readonly totalBytes: number;
  /** Lines of which at least a part is shown. */
  readonly shownLines: number;
  readonly shownBytes: number;
  /** Lines of which nothing is shown. */
  readonly elidedLines: number;
  readonly elidedBytes: number;
}

/** Where all of it is, or why it is nowhere; `undefined` when nobody wanted it kept. */
export type Whereabouts =
  | { readonly kept: true; readonly id: string; readonly incomplete?: string }
  | { readonly kept: false; readonly reason: string }
  | undefined;

/** The one line that says what is missing. */
export function elisionNotice(shown: Truncation & { readonly clampedLines: number }, where: Whereabouts): string {
  const lines = [
    shown.elidedLines > 0 ? sayCount(shown.elidedLines, "line") : [],
    shown.clampedLines > 0 ? `parts of ${sayCount(shown.clampedLines, "long line")}` : [],
  ];
  return `… ${lines.flat().join(" and ")} (${sayCount(shown.elidedBytes, "byte")}) left out${sayWhere(where)} …`;
}

/** Stands in a line that is too long, where its middle was. */
export function longLineNote(bytes: number): string {
  return `[… ${sayCount(bytes, "byte")} of this line left out …]`;
}

function sayWhere(where: Whereabouts): string {
  if (where === undefined) return "";
  if (!where.kept) return `; the full output could not be kept: ${where.reason}`;
  if (where.incomplete !== undefined) return `; the beginning of it: artifact://${where.id} (${where.incomplete})`;
  return `; all of it: artifact://${where.id}`;
}
