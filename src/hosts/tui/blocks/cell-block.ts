import type { CapturedDisplay } from "../../../output/capture.ts";
import type { Execution, ExecutionResult } from "../../../session/execution.ts";
import { cellDetails } from "../../../tools/code/cell-details.ts";
import { renderCellOutput } from "../../../view/cell-block.ts";
import { sayElapsed } from "../../../view/elapsed.ts";
import { indented } from "../../../view/gutter.ts";
import { printableLines } from "../../../view/text/printable.ts";
import { fold } from "../../../view/text/wrap.ts";
import type { Work } from "../work.ts";
import { type Block, type Look, RenderedLines } from "./block.ts";
import { typedCode } from "./typed-code.ts";

/** Rows of output that are shown of a cell that is over, unless everything is wanted. */
const previewLines = 20;
/** What takes longer than this is told how long it took. */
const worthTellingMs = 1000;

/** A Python cell, from the queue to its result. */
export class CellBlock implements Block, Work {
  readonly execution: Execution;
  readonly #language: string;
  readonly #onChange: () => void;
  readonly #lines = new RenderedLines();
  #version = 0;
  #displays: readonly CapturedDisplay[] = [];
  #answers: readonly string[] = [];
  #startedAt: number | null = null;
  #waitsFor: string | null = null;
  #result: ExecutionResult | null = null;
  #isInBackground = false;

  constructor(execution: Execution, language: string, onChange: () => void) {
    this.execution = execution;
    this.#language = language;
    this.#onChange = onChange;
    void this.#follow();
  }

  /** In milliseconds of `Date.now()`; null before the cell runs. */
  get startedAt(): number | null {
    return this.#startedAt;
  }

  get isInBackground(): boolean {
    return this.#isInBackground;
  }

  interrupt(): void {
    void this.execution.interrupt();
  }

  /** What somebody answered to `input()`, with the question. */
  addAnswer(told: string): void {
    this.#answers = [...this.#answers, told];
    this.#change();
  }

  /** From now on it only says where to find it. */
  sendToBackground(): void {
    this.#isInBackground = true;
    this.#change();
  }

  render(look: Look): readonly string[] {
    return this.#lines.get(look, this.#version, () => [
      ...typedCode(this.execution.cell.code, this.#language, look),
      ...this.#answers
        .flatMap((told) => printableLines(told).flatMap((line) => fold(line, look.width - 2)))
        .map(quiet(look)),
      ...(this.#isInBackground ? this.#whereItIs(look) : this.#output(look)),
    ]);
  }

  #whereItIs({ theme }: Look): readonly string[] {
    return indented([theme.muted(`goes on in the background: /attach ${this.execution.id}`)]);
  }

  #output(look: Look): readonly string[] {
    const { theme } = look;
    const result = this.#result;
    if (result === null && this.#startedAt === null) {
      return this.#waitsFor === null ? [] : indented([theme.muted(this.#waitsFor)]);
    }
    const isRunning = result === null;
    const details = cellDetails({
      language: this.#language,
      execution: this.execution,
      progress: isRunning ? "running" : "complete",
      startedAt: this.#startedAt,
      parts: this.#displays.flatMap(({ parts }) => parts),
      result,
      fullOutputPath: null,
    });
    const shown = renderCellOutput(isSilent(details.output) ? { ...details, status: "running" } : details, {
      width: look.width,
      theme,
      expandKey: "ctrl+o",
      pictures: look.pictures,
      // What has scrolled away cannot be changed, so a cell that runs shows no more than a screen has.
      expanded: look.expanded && !isRunning,
      previewLines: isRunning ? Math.min(previewLines, look.liveRows) : previewLines,
    });
    return [...shown, ...this.#verdict(look)];
  }

  /** How it ended, where the output does not say so. */
  #verdict({ theme }: Look): readonly string[] {
    const result = this.#result;
    if (result === null) return [];
    const took = result.durationMs >= worthTellingMs ? ` after ${sayElapsed(result.durationMs)}` : "";
    switch (result.status) {
      case "cancelled":
        return indented([theme.warning(`interrupted${took}`)]);
      case "timeout":
        return indented([theme.warning(`ran out of time${took}`)]);
      case "skipped":
        return indented([theme.muted("was not run")]);
      default:
        return took === "" ? [] : indented([theme.muted(took.trim().replace("after", "took"))]);
    }
  }

  async #follow(): Promise<void> {
    for await (const event of this.execution) {
      switch (event.type) {
        case "running":
          this.#startedAt ??= Date.now();
          break;
        case "queued":
          this.#waitsFor = event.position === 0 ? null : `waits for ${event.position} before it`;
          break;
        case "waiting":
          this.#waitsFor = event.reason;
          break;
        case "display":
          this.#show(event.display, event.update);
          break;
        case "clear":
          this.#displays = [];
          break;
      }
      this.#change();
    }
    this.#result = await this.execution.result;
    this.#change();
  }

  #show(display: CapturedDisplay, update: boolean): void {
    const isSame = ({ displayId }: CapturedDisplay): boolean => displayId !== null && displayId === display.displayId;
    this.#displays = update
      ? this.#displays.map((other) => (isSame(other) ? display : other))
      : [...this.#displays, display];
  }

  #change(): void {
    this.#version += 1;
    this.#onChange();
  }
}

const quiet =
  ({ theme }: Look) =>
  (line: string): string =>
    `  ${theme.muted(line)}`;

/** `(no output)` is for those who cannot see that there is none. */
function isSilent(output: string): boolean {
  return output.trim() === "";
}
