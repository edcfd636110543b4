import type { OpenArtifact } from "./artifact.ts";
import { Spill } from "./spill.ts";
import { HeadTailBuffer, type OutputBudget, type ShownText } from "./text/head-tail-buffer.ts";
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
  #buffer: HeadTailBuffer;
  /** All of it, until the artifact has it. */
  #complete = "";
  #spill: Spill | undefined;
  #problem: string | undefined;

  constructor(budget: OutputBudget, openArtifact: OpenArtifact | undefined) {
    this.#budget = budget;
    this.#openArtifact = openArtifact;
    this.#buffer = new HeadTailBuffer(budget);
  }

  /** There when the artifact is slower than what is captured. */
  get pressure(): Promise<void> | undefined {
    return this.#spill?.pressure;
  }

  append(text: string): void {
    const wasOverflowing = this.#buffer.isOverflowing;
    this.#buffer.push(text);
    if (wasOverflowing) {
      this.#spill?.write(text);
    } else {
      this.#complete += text;
      if (this.#buffer.isOverflowing) this.#startSpilling();
    }
  }

  clear(): void {
    this.#buffer = new HeadTailBuffer(this.#budget);
    this.#complete = "";
    this.#spill?.restart();
  }

  /** What would be shown if only `more` came after this. */
  visible(more: string): string {
    const where = this.#spill ? { kept: true as const, id: this.#spill.id } : undefined;
    return textOf(this.#buffer.show(more), where);
  }

  async end(): Promise<SinkDump> {
    const { isOverflowing } = this.#buffer;
    const where = isOverflowing ? await this.#closeArtifact() : await this.#discardArtifact();
    const { head, tail, clampedLines, ...counts } = this.#buffer.show();
    return {
      text: textOf({ head, tail, clampedLines, ...counts }, where),
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

/** The notice stands where lines are missing; when only parts of lines are, it comes last. */
function textOf(shown: ShownText, where: Whereabouts): string {
  const { head, tail, elidedBytes, elidedLines } = shown;
  if (elidedBytes === 0) return head + tail;
  const notice = `${elisionNotice(shown, where)}\n`;
  return elidedLines > 0 ? head + notice + tail : onNewLine(head + tail) + notice;
}

const onNewLine = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);
