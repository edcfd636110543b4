import type { KernelError } from "../../kernel/errors.ts";
import type { KernelEvent, Outcome } from "../../kernel/events.ts";

/**
 * How a cell ended. `error`: Python raised, or asked for input without an answer. `cancelled`: a caller interrupted
 * it. `failed`: the kernel did not survive it, or Granary could not run it.
 */
export type CellStatus = "ok" | "error" | "timeout" | "cancelled" | "failed";

export interface CellError {
  readonly name: string;
  readonly message: string;
  readonly traceback: readonly string[];
}

export interface Verdict {
  readonly status: CellStatus;
  readonly error: CellError | null;
  readonly executionCount: number | null;
  readonly durationMs: number;
  /** True when the cell asked for input and got no answer. */
  readonly stdinRequested: boolean;
  /** Why the kernel is gone, if it is. */
  readonly kernelError: KernelError | null;
}

export const nobodyAnswered =
  "The cell asked for input, which cannot be answered here. " +
  "Pass the data programmatically: in the code, in a file or in an environment variable.";

/** Reads the verdict from a cell's events; keeps no output. */
export class CellVerdict {
  readonly #someoneAnswers: boolean;
  #startedAt: number | null = null;
  #endedAt: number | null = null;
  #outcome: Outcome = "ok";
  #error: CellError | null = null;
  #executionCount: number | null = null;
  #stdinRequested = false;
  #kernelError: KernelError | null = null;

  constructor({ someoneAnswers }: { readonly someoneAnswers: boolean }) {
    this.#someoneAnswers = someoneAnswers;
  }

  take(event: KernelEvent): void {
    switch (event.type) {
      case "started":
        this.#startedAt = event.at;
        break;
      case "error":
        this.#error = { name: event.name, message: event.message, traceback: event.traceback };
        break;
      case "stdin":
        if (!this.#someoneAnswers) this.#stdinRequested = true;
        break;
      case "done":
        this.#endedAt = Date.now();
        this.#outcome = event.outcome;
        this.#executionCount = event.executionCount;
        break;
    }
  }

  kernelFailed(error: KernelError): void {
    this.#kernelError = error;
  }

  /** The verdict when we stopped the cell: its reaction to the interrupt no longer matters. */
  stopped(status: "timeout" | "cancelled"): Verdict {
    return this.#verdict(status, this.#error);
  }

  /** The verdict that the cell reached on its own. */
  reached(): Verdict {
    if (this.#kernelError !== null) return this.#verdict("failed", this.#error);
    if (this.#stdinRequested) return this.#verdict("error", this.#withoutInput());
    // An exception may be shown without ending the cell.
    if (this.#outcome === "ok") return this.#verdict("ok", null);
    return this.#verdict(this.#outcome === "interrupted" ? "cancelled" : this.#outcome, this.#error);
  }

  /** A cell that keeps asking is interrupted; the `KeyboardInterrupt` is not its failure. */
  #withoutInput(): CellError {
    if (this.#error !== null && this.#outcome === "error") return this.#error;
    return { name: "InputNotAvailable", message: nobodyAnswered, traceback: this.#error?.traceback ?? [] };
  }

  #verdict(status: CellStatus, error: CellError | null): Verdict {
    const endedAt = this.#endedAt ?? Date.now();
    return {
      status,
      error,
      executionCount: this.#executionCount,
      // Never negative, also when the clock is set back.
      durationMs: Math.max(0, endedAt - (this.#startedAt ?? endedAt)),
      stdinRequested: this.#stdinRequested,
      kernelError: this.#kernelError,
    };
  }
}
