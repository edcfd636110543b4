import type { Execution, ExecutionResult } from "../../session/execution/execution.ts";
import type { CellProgress } from "../../session/run-cells.ts";
import type { CellState } from "./cell-details.ts";

/** The state of one cell, for listeners of the call. */
export class CellWatch {
  readonly #language: string;
  #execution: Execution | null = null;
  #progress: CellProgress = "pending";
  #startedAt: number | null = null;
  #result: ExecutionResult | null = null;
  #whyItWaits: string | null = null;

  constructor(language: string) {
    this.#language = language;
  }

  get execution(): Execution | null {
    return this.#execution;
  }

  /** Why it cannot begin yet, such as that all kernels are in use; null when nothing blocks it. */
  get whyItWaits(): string | null {
    return this.#execution?.status === "queued" ? this.#whyItWaits : null;
  }

  /** As `runCells` reports it. */
  moveTo(progress: CellProgress, execution: Execution): void {
    this.#progress = progress;
    if (progress === "running") this.#startedAt = Date.now();
    if (this.#execution !== null) return;
    this.#execution = execution;
    void execution.result.then((result) => {
      this.#result = result;
    });
  }

  /** Calls back whenever there is something new to see. */
  async follow(onChange: () => void): Promise<void> {
    for await (const event of this.#execution ?? []) {
      if (event.type === "waiting") this.#whyItWaits = event.reason;
      onChange();
    }
  }

  /** Null before it is queued. */
  state(full: Pick<CellState, "fullOutputPath" | "fullOutput"> = notKept): CellState | null {
    if (this.#execution === null) return null;
    return {
      language: this.#language,
      execution: this.#execution,
      progress: this.#progress,
      startedAt: this.#startedAt,
      result: this.#result,
      ...full,
    };
  }
}

const notKept = { fullOutputPath: null, fullOutput: null };
