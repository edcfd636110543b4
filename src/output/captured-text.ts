import type { OpenArtifact } from "./artifact.ts";
import { Spill } from "./spill.ts";
import { FoldedText } from "./text/folded-text.ts";
import type { OutputBudget } from "./text/head-tail-buffer.ts";
import type { MarkedPiece, ShownPiece, TextMark } from "./text/marked-text.ts";
import type { Truncation, Whereabouts } from "./text/truncation.ts";

/** The part of an output that a result shows, and the place of the rest. */
export interface SinkDump extends Truncation {
  /** The shown text, with one line about omitted text. */
  readonly text: string;
  readonly truncated: boolean;
  /** The complete output, if `text` omits something. */
  readonly artifact: { readonly id: string } | null;
  /** A sentence that says why a needed artifact is missing or incomplete. */
  readonly artifactProblem: string | null;
}

/** How final text is shown. */
export interface CapturedTextOptions {
  readonly budget: OutputBudget;
  readonly openArtifact: OpenArtifact | undefined;
  /** Whether long runs of printed lines that differ only in their numbers become one line. */
  readonly foldsLines: boolean;
}

/** Final text: shown within a budget; once text is omitted, an artifact has all of it from the first byte. */
export class CapturedText {
  readonly #options: CapturedTextOptions;
  #text: FoldedText;
  /** The whole text, until the artifact has it. */
  #complete = "";
  #spill: Spill | undefined;
  #problem: string | undefined;
  /** A reader has the artifact's address. */
  #isAnnounced = false;
  #final: readonly ShownPiece[] | undefined;

  constructor(options: CapturedTextOptions) {
    this.#options = options;
    this.#text = new FoldedText(options);
  }

  /** Set if the artifact is slower than the output. */
  get pressure(): Promise<void> | undefined {
    return this.#spill?.pressure;
  }

  append(text: string, mark: TextMark | null = null): void {
    const wasOverflowing = this.#text.isOverflowing;
    this.#text.push(text, mark);
    if (wasOverflowing || this.#spill !== undefined) {
      this.#spill?.write(text);
    } else {
      this.#complete += text;
      if (this.#text.isOverflowing) this.#startSpilling();
    }
  }

  clear(): void {
    this.#text = new FoldedText(this.#options);
    this.#complete = "";
    this.#spill?.restart();
  }

  /** The shown text if only `more` followed. */
  pieces(more: readonly MarkedPiece[]): readonly ShownPiece[] {
    if (this.#final !== undefined) return this.#final;
    if (this.#text.isEmpty && more.length === 0) return [];
    const text = this.#text.copy();
    for (const piece of more) text.push(piece.text, piece.mark);
    // The address of an artifact is for readers of the text so far as well.
    if (text.isOverflowing) this.#announce();
    return text.show(this.#spill && { kept: true, id: this.#spill.id }).pieces;
  }

  async end(): Promise<SinkDump> {
    const { isOverflowing } = this.#text;
    const isWanted = isOverflowing || this.#isAnnounced;
    const where = isWanted ? await this.#closeArtifact() : await this.#discardArtifact();
    const { pieces, counts } = this.#text.show(where);
    this.#final = pieces;
    return {
      text: textOf(pieces),
      truncated: isOverflowing,
      ...counts,
      artifact: where?.kept ? { id: where.id } : null,
      artifactProblem: where === undefined ? null : problemOf(where),
    };
  }

  #announce(): void {
    this.#isAnnounced = true;
    if (this.#spill === undefined && this.#problem === undefined) this.#startSpilling();
  }

  #startSpilling(): void {
    const complete = this.#complete;
    this.#complete = "";
    try {
      const writer = this.#spill ? undefined : this.#options.openArtifact?.();
      if (writer) this.#spill = new Spill(writer);
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
    }
    this.#spill?.write(complete);
  }

  /** The omitted text has been cleared since. */
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

/** The whole text, with the text of its marks. */
export function textOf(pieces: readonly { readonly text: string }[]): string {
  return pieces.map(({ text }) => text).join("");
}
