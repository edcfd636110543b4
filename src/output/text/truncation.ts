import { sayCount } from "../../support/say-count.ts";

/** The shown and the omitted part of an output, in lines and in bytes of UTF-8; together they are the total. */
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

/** The artifact of the whole output, or the reason for none; `undefined` if the caller keeps no artifact. */
export type Whereabouts =
  | { readonly kept: true; readonly id: string; readonly incomplete?: string }
  | { readonly kept: false; readonly reason: string }
  | undefined;

/** The line about omitted output. */
export function elisionNotice(shown: Truncation & { readonly clampedLines: number }, where: Whereabouts): string {
  const lines = [
    shown.elidedLines > 0 ? sayCount(shown.elidedLines, "line") : [],
    shown.clampedLines > 0 ? `parts of ${sayCount(shown.clampedLines, "long line")}` : [],
  ];
  return `… ${lines.flat().join(" and ")} (${sayCount(shown.elidedBytes, "byte")}) left out${sayWhere(where)} …`;
}

/** Replaces the middle of a line that is too long. */
export function longLineNote(bytes: number): string {
  return `[… ${sayCount(bytes, "byte")} of this line left out …]`;
}

/** `; all of it: artifact://main-1` */
export function sayWhere(where: Whereabouts): string {
  if (where === undefined) return "";
  if (!where.kept) return `; the full output could not be kept: ${where.reason}`;
  if (where.incomplete !== undefined) return `; the beginning of it: artifact://${where.id} (${where.incomplete})`;
  return `; all of it: artifact://${where.id}`;
}
