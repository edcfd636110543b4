import type { OutputBudget } from "./head-tail-buffer.ts";
import { type Fold, type FoldTarget, LineFolder } from "./line-folder.ts";
import { MarkedText, type ShownPiece, type TextMark } from "./marked-text.ts";
import { elisionNotice, sayWhere, type Truncation, type Whereabouts } from "./truncation.ts";

export interface FoldedTextOptions {
  readonly budget: OutputBudget;
  readonly foldsLines: boolean;
}

/** The place of folded lines. */
export class FoldMark implements TextMark {
  readonly fold: Fold;
  isGone = false;

  constructor(fold: Fold) {
    this.fold = fold;
  }
}

/** The first and the last lines of a text, after similar lines were folded. Its counts are those of the text before. */
export class FoldedText implements FoldTarget {
  readonly #options: FoldedTextOptions;
  #text: MarkedText;
  #folder: LineFolder | null;
  #folds: FoldMark[] = [];
  /** By how much the text before was longer. */
  #folded = { lines: 0, bytes: 0 };

  constructor(options: FoldedTextOptions) {
    this.#options = options;
    this.#text = new MarkedText(options.budget);
    this.#folder = options.foldsLines ? new LineFolder(this) : null;
  }

  get isEmpty(): boolean {
    return this.#text.isEmpty && (this.#folder?.isEmpty ?? true);
  }

  /** Whether text is omitted. */
  get isOverflowing(): boolean {
    return this.#text.isOverflowing || this.#folder?.hasFolded === true;
  }

  push(text: string, mark: TextMark | null): void {
    if (mark === null && this.#folder !== null) return this.#folder.push(text);
    this.#folder?.flush();
    this.#text.push(text, mark);
    this.#folder?.passed(text);
  }

  /** @internal For the folder. */
  text(text: string): void {
    this.#text.push(text);
  }

  /** @internal For the folder. */
  fold(fold: Fold): void {
    const mark = new FoldMark(fold);
    this.#text.push(fold.notice, mark, fold.length);
    this.#folded.lines += fold.lines - 1;
    this.#folded.bytes += fold.bytes - Buffer.byteLength(fold.notice);
    this.#folds.push(mark);
    // The head and the tail have room for so many each.
    const { lines } = this.#options.budget;
    if (this.#folds.length > 2 * lines) for (const hidden of this.#folds.splice(lines, 1)) hidden.isGone = true;
  }

  copy(): FoldedText {
    const copy = new FoldedText(this.#options);
    copy.#text = this.#text.copy();
    copy.#folder = this.#folder?.copy(copy) ?? null;
    copy.#folds = [...this.#folds];
    copy.#folded = { ...this.#folded };
    return copy;
  }

  /** Ends the text. */
  show(where: Whereabouts): { readonly pieces: readonly ShownPiece[]; readonly counts: Truncation } {
    this.#folder?.flush();
    const shown = this.#text.show();
    const { head: _, tail: __, clampedLines, ...kept } = shown;
    if (this.#folds.length === 0) {
      const notice = shown.elidedBytes === 0 ? "" : `${elisionNotice(shown, where)}\n`;
      return { pieces: this.#text.pieces(shown, notice), counts: kept };
    }
    const folds = this.#text.pieces(shown, "").flatMap(({ mark, text }) => (isFold(mark) && text !== "" ? [mark] : []));
    const totalLines = kept.totalLines + this.#folded.lines;
    const totalBytes = kept.totalBytes + this.#folded.bytes;
    const shownLines = kept.shownLines - folds.length;
    const shownBytes = kept.shownBytes - sum(folds, ({ notice }) => Buffer.byteLength(notice));
    const counts = {
      totalLines,
      totalBytes,
      shownLines,
      shownBytes,
      elidedLines: totalLines - shownLines,
      elidedBytes: totalBytes - shownBytes,
    };
    const between = {
      ...counts,
      clampedLines,
      elidedLines: counts.elidedLines - sum(folds, ({ lines }) => lines),
      elidedBytes: counts.elidedBytes - sum(folds, ({ bytes }) => bytes),
    };
    if (between.elidedBytes === 0) return { pieces: withAddress(this.#text.pieces(shown, ""), where), counts };
    return { pieces: this.#text.pieces(shown, `${elisionNotice(between, where)}\n`), counts };
  }
}

function isFold(mark: TextMark | null): mark is FoldMark {
  return mark instanceof FoldMark;
}

/** One notice has the address of the whole text. */
function withAddress(pieces: readonly ShownPiece[], where: Whereabouts): readonly ShownPiece[] {
  const first = pieces.findIndex(({ mark }) => isFold(mark));
  return pieces.map((piece, index) =>
    index === first ? { ...piece, text: piece.text.replace(/ …\n$/, () => `${sayWhere(where)} …\n`) } : piece,
  );
}

function sum(folds: readonly FoldMark[], size: (fold: Fold) => number): number {
  return folds.reduce((total, { fold }) => total + size(fold), 0);
}
