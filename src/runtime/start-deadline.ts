import { KernelError } from "../kernel/errors.ts";

/** How long a start may take, and whoever else may end it, as one signal. To be let go of when the start is over. */
export class StartDeadline implements Disposable {
  readonly signal: AbortSignal;
  readonly #timer: NodeJS.Timeout;

  constructor(seconds: number, cancelled: AbortSignal | undefined) {
    // Not AbortSignal.timeout: once inside of AbortSignal.any, Node 20's garbage collector may take it before it fires.
    const timeUp = new AbortController();
    this.#timer = setTimeout(() => timeUp.abort(tookTooLong(seconds)), seconds * 1000);
    this.signal = cancelled === undefined ? timeUp.signal : AbortSignal.any([cancelled, timeUp.signal]);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}

function tookTooLong(seconds: number): KernelError {
  const remedy = "Raise python.startSeconds if it needs longer; `granary doctor` shows what it does.";
  return new KernelError("start-timeout", `Python did not start within ${seconds} seconds. ${remedy}`);
}
