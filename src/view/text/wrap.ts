import { ActiveStyles } from "./sgr.ts";
import { type LinePiece, piecesOf, visibleWidth } from "./styled-text.ts";

/**
 * Breaks a line at the width and loses nothing: for code and output, where every blank counts. Styles continue in
 * the next row. A character wider than the width, possible only at a width of 1, becomes `…`.
 */
export function fold(line: string, width: number): readonly string[] {
  if (visibleWidth(line) <= width) return [line];
  const rows = new Rows(width);
  for (const piece of piecesOf(line)) rows.add(piece);
  return rows.end();
}

/**
 * Breaks a line between words, and a word only when it alone is too long: for sentences. Drops blanks at
 * the break. With `keepsWords` such a word stays whole, so that a path can be copied: its row is then too long.
 */
export function wrapWords(
  line: string,
  width: number,
  { keepsWords = false }: { readonly keepsWords?: boolean } = {},
): readonly string[] {
  if (visibleWidth(line) <= width) return [line];
  const rows = new Rows(keepsWords ? Number.POSITIVE_INFINITY : width);
  for (const word of words(line)) {
    if (rows.used > 0 && rows.used + word.width > width) {
      if (word.isBlank) continue;
      rows.breakHere();
    }
    if (word.isBlank && rows.isNew) continue;
    for (const piece of word.pieces) rows.add(piece);
  }
  return rows.end().map(withoutBlanksAtEnd);
}

/** Collects pieces into rows; styles continue in the next row. */
class Rows {
  readonly #width: number;
  readonly #rows: string[] = [];
  readonly #styles = new ActiveStyles();
  #row = "";
  used = 0;

  constructor(width: number) {
    this.#width = Math.max(1, width);
  }

  /** The row is empty, and not the first. */
  get isNew(): boolean {
    return this.used === 0 && this.#rows.length > 0;
  }

  add(piece: LinePiece): void {
    if (piece.isEscape) {
      this.#styles.take(piece.text);
      this.#row += piece.text;
      return;
    }
    const fits = piece.width <= this.#width;
    const columns = fits ? piece.width : 1;
    if (this.used + columns > this.#width) this.breakHere();
    this.#row += fits ? piece.text : "…";
    this.used += columns;
  }

  breakHere(): void {
    this.#rows.push(this.#row + this.#styles.off);
    this.#row = this.#styles.on;
    this.used = 0;
  }

  end(): string[] {
    return [...this.#rows, this.#row];
  }
}

interface Word {
  readonly pieces: readonly LinePiece[];
  readonly width: number;
  readonly isBlank: boolean;
}

/** Runs of blanks and runs of other text, with the styles that begin within or before them. */
function* words(line: string): Generator<Word> {
  let pieces: LinePiece[] = [];
  let width = 0;
  let isBlank: boolean | null = null;
  for (const piece of piecesOf(line)) {
    if (!piece.isEscape) {
      const blank = piece.text === " ";
      // Between wide characters (Chinese, Japanese) a line may break anywhere.
      const ends = isBlank !== null && (blank !== isBlank || (!blank && piece.width === 2));
      if (ends) {
        yield { pieces, width, isBlank: isBlank === true };
        [pieces, width] = [[], 0];
      }
      isBlank = blank;
      width += piece.width;
    }
    pieces.push(piece);
  }
  if (pieces.length > 0) yield { pieces, width, isBlank: isBlank === true };
}

/** Blanks before a final style sequence count as trailing blanks. */
function withoutBlanksAtEnd(row: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: styles begin with one
  const styles = /(?:\u001b\[[\d;]*m)*$/.exec(row)?.[0] ?? "";
  const text = row.slice(0, row.length - styles.length);
  let end = text.length;
  while (text[end - 1] === " ") end--;
  return text.slice(0, end) + styles;
}
