import type { OpenArtifact } from "./artifact.ts";
import { Spill } from "./spill.ts";
import type { OutputBudget, ShownText } from "./text/head-tail-buffer.ts";
import { type MarkedPiece, MarkedText, type ShownPiece, type TextMark } from "./text/marked-text.ts";
import { elisionNotice, type Truncation, type Whereabouts } from "./text/truncation.ts";

/** What a result shows of an output, and where the rest is. */
export interface SinkDump extends Truncation {
  /** What is shown, with one line that says what is missing. */
  readonly text: string;
  readonly truncated: boolean;
  /** The complete output, if something is missing in `text`. */
  readonly artifact: { readonly id: string } | null;
  /** Why there is no artifact although there should be one, or not all of it: a sentence. */
  readonly artifactProblem: string | null;
}

/** Final text: shown within a budget, and, from the first byte on, in an artifact as soon as something is left out. */
export class CapturedText {
  readonly #budget: OutputBudget;
  readonly #openArtifact: OpenArtifact | undefined;
  #text: MarkedText;
  /** All of it, until the artifact has it. */
  #complete = "";
  #spill: Spill | undefined;
  #problem: string | undefined;
  #final: readonly ShownPiece[] | undefined;

  constructor(budget: OutputBudget, openArtifact: OpenArtifact | undefined) {
    this.#budget = budget;
    this.#openArtifact = openArtifact;
    this.#text = new MarkedText(budget);
  }

  /** There when the artifact is slower than what is captured. */
  get pressure(): Promise<void> | undefined {
    return this.#spill?.pressure;
  }

  append(text: string, mark: TextMark | null = null): void {
    const wasOverflowing = this.#text.isOverflowing;
    this.#text.push(text, mark);
    if (wasOverflowing) {
      this.#spill?.write(text);
    } else {
      this.#complete += text;
      if (this.#text.isOverflowing) this.#startSpilling();
    }
  }

  clear(): void {
    this.#text = new MarkedText(this.#budget);
    this.#complete = "";
    this.#spill?.restart();
  }

  /** What would be shown if only `more` came after this. */
  pieces(more: readonly MarkedPiece[]): readonly ShownPiece[] {
    if (this.#final !== undefined) return this.#final;
    if (this.#text.isEmpty && more.length === 0) return [];
    const text = this.#text.copy();
    for (const piece of more) text.push(piece.text, piece.mark);
    const shown = text.show();
    return text.pieces(shown, noticeOf(shown, this.#spill && { kept: true, id: this.#spill.id }));
  }

  async end(): Promise<SinkDump> {
    const { isOverflowing } = this.#text;
    const where = isOverflowing ? await this.#closeArtifact() : await this.#discardArtifact();
    const shown = this.#text.show();
    const { head: _, tail: __, clampedLines: ___, ...counts } = shown;
    this.#final = this.#text.pieces(shown, noticeOf(shown, where));
    return {
      text: textOf(this.#final),
      truncated: isOverflowing,
      ...counts,
      artifact: where?.kept ? { id: where.id } : null,
      artifactProblem: where === undefined ? null : problemOf(where),
    };
  }

  #startSpilling(): void {
    const complete = this.#complete;
    this.#complete = "";
    try {
      const writer = this.#spill ? undefined : this.#openArtifact?.();
      if (writer) this.#spill = new Spill(writer);
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
    }
    this.#spill?.write(complete);
  }

  /** What was too much has been cleared since. */
  async #discardArtifact(): Promise<undefined> {
    await this.#spill?.discard();
  }

  async #closeArtifact(): Promise<Whereabouts> {
    if (this.#problem !== undefined) return { kept: false, reason: this.#problem };
    return this.#spill?.close();
  }
}

function problemOf(where: NonNullable<Whereabouts>): string | null {
  return where.kept ? (where.incomplete ?? null) : where.reason;
}

function noticeOf(shown: ShownText, where: Whereabouts): string {
  return shown.elidedBytes === 0 ? "" : `${elisionNotice(shown, where)}\n`;
}

/** All of the text, whatever stands in it. */
export function textOf(pieces: readonly { readonly text: string }[]): string {
  return pieces.map(({ text }) => text).join("");
}
