import type { TextPiece } from "../text/piece.ts";
import { longLineNote } from "../text/truncation.ts";
import { headWithin, tailWithin } from "../text/utf8-cut.ts";

/** A line that has not ended yet. Keeps only its two ends in memory, however long it gets. */
export class OpenLine {
  readonly #limit: number;
  #begin = "";
  /** The latest part of a line that is too long. */
  #end = "";
  #bytes = 0;

  /** @param limit the bytes of a line that are shown */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  get isTooLong(): boolean {
    return this.#bytes > this.#limit;
  }

  add(text: string): void {
    const wasTooLong = this.isTooLong;
    this.#bytes += Buffer.byteLength(text);
    if (wasTooLong) this.#end += text;
    else this.#begin += text;
    if (!this.isTooLong) return;
    if (!wasTooLong) {
      const line = this.#begin;
      this.#begin = headWithin(line, Math.floor(this.#limit / 2));
      this.#end = line.slice(this.#begin.length);
    }
    // Some more than is shown, because the place of the cut also depends on the text before.
    const enough = this.#limit + 64;
    if (this.#end.length > 4 * enough) this.#end = this.#end.slice(-enough);
  }

  /** The line so far, ready to show. */
  show(lineEnd: "\n" | ""): TextPiece {
    if (!this.isTooLong) {
      return { text: this.#begin + lineEnd, bytes: this.#bytes + lineEnd.length, lines: 1, isClamped: false };
    }
    const end = tailWithin(this.#end, Math.floor(this.#limit / 2));
    const shown = Buffer.byteLength(this.#begin) + Buffer.byteLength(end);
    const text = this.#begin + longLineNote(this.#bytes - shown) + end + lineEnd;
    return { text, bytes: shown + lineEnd.length, lines: 1, isClamped: true };
  }

  copy(): OpenLine {
    const copy = new OpenLine(this.#limit);
    copy.#begin = this.#begin;
    copy.#end = this.#end;
    copy.#bytes = this.#bytes;
    return copy;
  }
}
