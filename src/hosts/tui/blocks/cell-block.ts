import type { Execution, ExecutionResult } from "../../../session/execution/execution.ts";
import { sayCount } from "../../../support/say-count.ts";
import { cellDetails } from "../../../tools/code/cell-details.ts";
import { type InteractiveCell, renderInteractive } from "../../../view/interactive.ts";
import { indented } from "../../../view/lines/gutter.ts";
import type { ConsoleWork } from "../work.ts";
import { type Look, RenderedLines, type TranscriptBlock } from "./block.ts";
import { interactiveOptions } from "./interactive-options.ts";
import { ranBy } from "./ran-by.ts";
import { typedCode } from "./typed-code.ts";
import { type GivenAnswer, givenAnswer, withAnswers } from "./with-answers.ts";

/** In bytes: the budget of an output is much smaller. */
const everything = Number.MAX_SAFE_INTEGER;

/** A Python cell, from the queue to its result. */
export class CellBlock implements TranscriptBlock, ConsoleWork {
  readonly execution: Execution;
  /** The other client that runs it; null for the console's own cell. */
  readonly by: string | null;
  readonly #language: string;
  readonly #onChange: () => void;
  readonly #lines = new RenderedLines();
  #version = 0;
  #answers: readonly GivenAnswer[] = [];
  #waitsFor: string | null = null;
  #result: ExecutionResult | null = null;
  #isInBackground = false;

  constructor(execution: Execution, language: string, onChange: () => void, by: string | null = null) {
    this.execution = execution;
    this.by = by;
    this.#language = language;
    this.#onChange = onChange;
    void this.#follow();
  }

  get executionId(): string {
    return this.execution.id;
  }

  /** In milliseconds of `Date.now()`; null before the cell runs. */
  get startedAt(): number | null {
    return this.execution.startedAt;
  }

  get isUnderWay(): boolean {
    return this.#result === null && !this.#isInBackground;
  }

  get isInBackground(): boolean {
    return this.#isInBackground;
  }

  interrupt(): void {
    void this.execution.interrupt();
  }

  /** An answer to `input()`, with its question. */
  addAnswer(told: string): void {
    this.#answers = [...this.#answers, givenAnswer(told, this.execution.tail(everything))];
    this.#change();
  }

  /** From now on the block only names the execution. */
  sendToBackground(): void {
    this.#isInBackground = true;
    this.#change();
  }

  render(look: Look): readonly string[] {
    return this.#lines.get(look, this.#version, () => [
      ...(this.by === null ? [] : [ranBy(look, this.by, this.execution.id)]),
      ...typedCode(this.execution.cell.code, this.#language, look),
      ...(this.#isInBackground ? this.#whereItIs(look) : this.#output(look)),
    ]);
  }

  #whereItIs({ theme }: Look): readonly string[] {
    return indented([theme.muted(`continues in the background: /attach ${this.execution.id}`)]);
  }

  #output(look: Look): readonly string[] {
    const isRunning = this.#result === null;
    if (isRunning && this.#waitsFor !== null) return indented([look.theme.muted(this.#waitsFor)]);
    if (isRunning && this.startedAt === null) return [];
    return renderInteractive(
      this.#soFar(),
      interactiveOptions(look, { isRunning, isConversation: this.#answers.length > 0 }),
    );
  }

  #soFar(): InteractiveCell {
    const result = this.#result;
    const outputs = result?.parts ?? this.execution.lastParts(everything);
    const details = cellDetails({
      language: this.#language,
      execution: this.execution,
      progress: "running",
      startedAt: this.startedAt,
      outputs: withAnswers(outputs, this.#answers),
      result,
      fullOutputPath: null,
      fullOutput: null,
    });
    return { ...details, status: statusOf(result) };
  }

  async #follow(): Promise<void> {
    for await (const event of this.execution) {
      switch (event.type) {
        case "queued":
          this.#waitsFor = event.position === 0 ? null : `waits for ${sayCount(event.position, "cell")}`;
          break;
        case "waiting":
          this.#waitsFor = event.reason;
          break;
        case "running":
          this.#waitsFor = null;
          break;
      }
      this.#change();
    }
    this.#result = await this.execution.result;
    this.#change();
  }

  #change(): void {
    this.#version += 1;
    this.#onChange();
  }
}

function statusOf(result: ExecutionResult | null): InteractiveCell["status"] {
  const status = result?.status ?? "running";
  if (status === "ok") return "complete";
  return status === "failed" ? "error" : status;
}
