import { sayTimeLimit } from "./say-count.ts";

/** A signal that aborts when the time is up, or when another signal aborts. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
  /** Whether the timeout aborted it. */
  readonly hasPassed: boolean;
}

/**
 * `using deadline = deadlineAfter(5000, signal)`. Not `AbortSignal.any([signal, AbortSignal.timeout(5000)])`: on Node 20
 * a garbage collection removes such a timeout, and it never fires.
 */
export function deadlineAfter(milliseconds: number, ...signals: readonly (AbortSignal | undefined)[]): Deadline {
  const controller = new AbortController();
  const others = signals.filter((signal) => signal !== undefined);
  let hasPassed = false;
  const timer = setTimeout(() => {
    hasPassed = true;
    controller.abort(new DOMException(`Timed out after ${sayTimeLimit(milliseconds)}.`, "TimeoutError"));
  }, milliseconds);
  const onAbort = (event: Event): void => controller.abort((event.target as AbortSignal).reason);
  for (const signal of others) {
    if (signal.aborted) controller.abort(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true, signal: controller.signal });
  }
  return {
    signal: controller.signal,
    get hasPassed() {
      return hasPassed;
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      for (const signal of others) signal.removeEventListener("abort", onAbort);
    },
  };
}
