import type { Stretch } from "../../../output/artifacts/read/ranges.ts";
import { longLineNote } from "../../../output/text/truncation.ts";

export interface LineBudget {
  readonly bytes: number;
  readonly lines: number;
  /** The limit of one line. */
  readonly lineBytes: number;
}

export interface TakenLines {
  /** Consecutive lines are one part. */
  readonly parts: readonly LinePart[];
  /** The first wanted line that did not fit; null when all did. */
  readonly nextLine: number | null;
  /** The number of lines; null when there was too much to count. */
  readonly totalLines: number | null;
  readonly totalBytes: number | null;
  /** How many lines are cut. */
  readonly shortened: number;
  /** False when bytes that are not UTF-8 are shown as replacement characters. */
  readonly isUtf8: boolean;
}

interface LinePart {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Lines are counted to the end of a file, up to this limit. */
const countAtMostBytes = 256 * 1024 * 1024;

/** Takes the wanted lines out of a text of any size, within a budget. @param wanted in order, none twice */
export async function takeLines(
  chunks: AsyncIterable<Uint8Array>,
  wanted: readonly Stretch[],
  budget: LineBudget,
): Promise<TakenLines> {
  const taker = new LineTaker(wanted, budget);
  for await (const chunk of chunks) {
    taker.push(chunk);
    if (taker.isSatisfied && taker.bytes > countAtMostBytes) return taker.end({ isWhole: false });
  }
  return taker.end({ isWhole: true });
}

class LineTaker {
  readonly #wanted: readonly Stretch[];
  readonly #budget: LineBudget;
  #line = 1;
  bytes = 0;
  #parts: { readonly from: number; to: number; readonly pieces: Uint8Array[] }[] = [];
  #shown = { bytes: 0, lines: 0 };
  #nextLine: number | null = null;
  #shortened = 0;
  /** The current line: its kept part and its length. */
  #open: { pieces: Uint8Array[]; kept: number; length: number } = { pieces: [], kept: 0, length: 0 };

  constructor(wanted: readonly Stretch[], budget: LineBudget) {
    this.#wanted = wanted;
    this.#budget = budget;
  }

  /** Whether no later line can be wanted. */
  get isSatisfied(): boolean {
    return this.#nextLine !== null || this.#line > (this.#wanted.at(-1)?.to ?? 0);
  }

  push(chunk: Uint8Array): void {
    this.bytes += chunk.length;
    for (let start = 0; start < chunk.length; ) {
      const newlineAt = chunk.indexOf(newline, start);
      const end = newlineAt === -1 ? chunk.length : newlineAt + 1;
      this.#take(chunk.subarray(start, end));
      if (newlineAt !== -1) this.#endLine();
      start = end;
    }
  }

  end({ isWhole }: { readonly isWhole: boolean }): TakenLines {
    if (this.#open.length > 0) this.#endLine();
    const texts = this.#parts.map(({ pieces }) => decode(pieces));
    return {
      parts: this.#parts.map(({ from, to }, index) => ({ from, to, text: texts[index]?.text ?? "" })),
      nextLine: this.#nextLine,
      totalLines: isWhole ? this.#line - 1 : null,
      totalBytes: isWhole ? this.bytes : null,
      shortened: this.#shortened,
      isUtf8: texts.every(({ isUtf8 }) => isUtf8),
    };
  }

  #take(piece: Uint8Array): void {
    const open = this.#open;
    const room = this.#isWanted ? Math.max(0, this.#budget.lineBytes - open.kept) : 0;
    if (room > 0) open.pieces.push(piece.subarray(0, room));
    open.kept += Math.min(room, piece.length);
    open.length += piece.length;
  }

  get #isWanted(): boolean {
    return this.#nextLine === null && this.#wanted.some(({ from, to }) => from <= this.#line && this.#line <= to);
  }

  #endLine(): void {
    const { pieces, kept, length } = this.#open;
    if (this.#isWanted) this.#keep(kept < length ? [...cutAtCharacter(pieces), noteOf(length - kept)] : pieces, kept);
    if (this.#nextLine === null && kept > 0 && kept < length) this.#shortened++;
    this.#open = { pieces: [], kept: 0, length: 0 };
    this.#line++;
  }

  #keep(pieces: readonly Uint8Array[], bytes: number): void {
    const isFirst = this.#shown.lines === 0;
    const fits = this.#shown.bytes + bytes <= this.#budget.bytes && this.#shown.lines < this.#budget.lines;
    if (!fits && !isFirst) {
      this.#nextLine = this.#line;
      return;
    }
    this.#shown = { bytes: this.#shown.bytes + bytes, lines: this.#shown.lines + 1 };
    const last = this.#parts.at(-1);
    if (last?.to === this.#line - 1) {
      last.to = this.#line;
      last.pieces.push(...pieces);
    } else this.#parts.push({ from: this.#line, to: this.#line, pieces: [...pieces] });
  }
}

const newline = 0x0a;

function noteOf(leftOut: number): Uint8Array {
  return Buffer.from(`${longLineNote(leftOut)}\n`);
}

/** Without an incomplete character at its end. */
function cutAtCharacter(pieces: readonly Uint8Array[]): readonly Uint8Array[] {
  const bytes = Buffer.concat(pieces);
  let end = bytes.length;
  while (end > 0 && bytes.length - end < 3 && ((bytes[end - 1] as number) & 0xc0) === 0x80) end--;
  const lead = bytes[end - 1] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return [length > bytes.length - end + 1 ? bytes.subarray(0, end - 1) : bytes];
}

function decode(pieces: readonly Uint8Array[]): { readonly text: string; readonly isUtf8: boolean } {
  const bytes = Buffer.concat(pieces);
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes), isUtf8: true };
  } catch {
    return { text: bytes.toString("utf8"), isUtf8: false };
  }
}
