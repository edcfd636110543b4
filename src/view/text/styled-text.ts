import { type Grapheme, graphemes, isAscii } from "./graphemes.ts";

/** A piece of a line: visible text, or an escape sequence of no width. */
export type LinePiece = (Grapheme & { readonly isEscape: false }) | { readonly text: string; readonly isEscape: true };

/** The line's graphemes, and the escape sequences between them. */
export function* piecesOf(line: string): Generator<LinePiece> {
  for (const [at, run] of line.split(escapeSequences).entries()) {
    if (at % 2 === 1) yield { text: run, isEscape: true };
    else for (const grapheme of graphemes(run)) yield { ...grapheme, isEscape: false };
  }
}

/** In columns of a terminal, without styles. The line has no tabs. */
export function visibleWidth(line: string): number {
  if (isAscii(line)) return line.length;
  let width = 0;
  for (const { width: columns } of graphemes(withoutStyles(line))) width += columns;
  return width;
}

export function withoutStyles(line: string): string {
  return line.includes("\u001b") ? line.replaceAll(escapeSequences, "") : line;
}

/** CSI (styles), OSC (links, pictures), APC and DCS (pictures). The one group makes `split` keep them. */
const escapeSequences =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are made of them
  /(\u001b\[[0-?]*[ -/]*[@-~]|\u001b[\]_P][^\u0007\u001b]*(?:\u0007|\u001b\\))/g;
