import type { KernelEvent } from "../../kernel/events.ts";
import type { ExecutionResult } from "../../session/execution.ts";
import type { CellTimes } from "./execution-times.ts";
import type { RunFailure } from "./notebook-run.ts";
import type { RunOutputs } from "./run-outputs.ts";

/** One cell of a notebook on its way: listens to everything its kernel tells. */
export class CellAttempt {
  readonly #outputs: RunOutputs;
  readonly #index: number;
  readonly #onText: (text: string) => void;
  #begun: number | null = null;
  #ended: number | null = null;
  #hasRaised = false;

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
      // A cell that took its kernel down may be tried again: what it put out the first time is not repeated.
      this.#begun = event.at;
      this.#hasRaised = false;
      this.#outputs.begin(this.#index);
    } else if (event.type === "done") this.#ended = Date.now();
    else this.#outputs.take(event);
    if (event.type === "error") this.#hasRaised = true;
    if (event.type === "stream") this.#onText(event.text);
  }

  get times(): CellTimes {
    const ended = this.#ended ?? Date.now();
    return { begun: this.#begun ?? ended, ended };
  }

  /** A reader of the notebook should see why a cell failed, also when Python could not say it. */
  finish({ status, error }: ExecutionResult, failure: RunFailure | null): void {
    const name = failure === null ? error?.name : "DeadKernelError";
    const message = failure === null ? error?.message : failure.message;
    if (status === "ok" && failure === null) return;
    if (this.#hasRaised || name === undefined || message === undefined) return;
    this.#outputs.take({ type: "error", name, message, traceback: [`${name}: ${message}`] });
  }
}
