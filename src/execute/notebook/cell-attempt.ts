import type { KernelEvent } from "../../kernel/events.ts";
import type { CellError } from "../../session/cell/cell-verdict.ts";
import type { ExecutionResult } from "../../session/execution/execution.ts";
import type { CellTimes } from "./check/execution-times.ts";
import type { RunFailure } from "./notebook-run.ts";
import type { RunOutputs } from "./run-outputs.ts";

/** One run of a notebook cell: takes all events of its kernel. */
export class CellAttempt {
  readonly #outputs: RunOutputs;
  readonly #index: number;
  readonly #onText: (text: string) => void;
  #begun: number | null = null;
  #ended: number | null = null;
  #hasRaised = false;
  #exits = false;

  constructor(outputs: RunOutputs, index: number, onText: (text: string) => void) {
    this.#outputs = outputs;
    this.#index = index;
    this.#onText = onText;
  }

  take(event: KernelEvent): void | Promise<void> {
    const whole = this.#outputs.whole(event);
    return whole instanceof Promise ? whole.then((read) => this.#take(read)) : this.#take(whole);
  }

  #take(event: KernelEvent): void {
    if (event.type === "started") {
      // A cell that took its kernel down may be tried again: the outputs of the first attempt are dropped.
      this.#begun = event.at;
      this.#hasRaised = false;
      this.#outputs.begin(this.#index);
    } else if (event.type === "done") {
      this.#ended = Date.now();
      this.#exits = event.exits ?? false;
    } else this.#outputs.take(event);
    if (event.type === "error") this.#hasRaised = true;
    if (event.type === "stream") this.#onText(event.text);
  }

  /** Whether the cell ended the notebook with `sys.exit()`. */
  get exits(): boolean {
    return this.#exits;
  }

  get times(): CellTimes {
    const ended = this.#ended ?? Date.now();
    return { begun: this.#begun ?? ended, ended };
  }

  /** The notebook should show why a cell failed, also when Python could not say it. */
  finish({ name, message }: CellError): void {
    if (this.#hasRaised) return;
    this.#outputs.take({ type: "error", name, message, traceback: [`${name}: ${message}`] });
  }
}

/** Why a cell did not succeed, in the words of Python or in ours; null when it did. */
export function cellError({ status, error, attempts }: ExecutionResult, failure: RunFailure | null): CellError | null {
  if (failure !== null) return saidByUs(attempts === 0 ? "KernelError" : "DeadKernelError", failure.message);
  if (status === "ok" || error !== null) return error;
  return status === "timeout"
    ? saidByUs("TimeoutError", "The cell timed out.")
    : saidByUs("KeyboardInterrupt", attempts === 0 ? "The run was stopped before this cell began." : "");
}

function saidByUs(name: string, message: string): CellError {
  return { name, message, traceback: [message === "" ? name : `${name}: ${message}`] };
}
