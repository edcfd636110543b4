import { KernelError } from "../../src/kernel/errors.ts";
import type { KernelEvent } from "../../src/kernel/events.ts";
import type { ExecuteOptions, Kernel, KernelState } from "../../src/kernel/kernel.ts";

/** The script of a cell: sends events, waits, and may die. `done` is added at the end. */
export type Script = (options: ExecuteOptions) => AsyncGenerator<KernelEvent, void>;

/** Replaces a kernel where the test decides the order of events, which is impossible with a real Python. */
export function scriptedKernel(script: Script): Kernel {
  const notPlayed = (): never => {
    throw new Error("This stand-in only plays a script.");
  };
  let state: KernelState = "idle";
  let cellsBegun = 0;
  return {
    id: "scripted",
    info: { backend: "runner", language: "python", version: "3.0.0", executable: "/python", pid: null },
    get state() {
      return state;
    },
    get cellsBegun() {
      return cellsBegun;
    },
    onCell() {},
    exited: new Promise(() => {}),
    async *execute(_code, options = {}) {
      state = "busy";
      cellsBegun++;
      yield { type: "started", at: Date.now() };
      yield* script(options);
      state = "idle";
      const outcome = options.signal?.aborted ? "interrupted" : "ok";
      yield { type: "done", outcome, executionCount: 1 };
    },
    interrupt: notPlayed,
    ping: notPlayed,
    findTrouble: notPlayed,
    complete: notPlayed,
    inspect: notPlayed,
    isComplete: notPlayed,
    onBackground() {},
    onLateDisplay() {},
    async close() {},
    async [Symbol.asyncDispose]() {},
  };
}

export function dies(message: string): KernelError {
  return new KernelError("kernel-died", message);
}

/** Settles when the host interrupts the cell. */
export function interrupted({ signal }: ExecuteOptions): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve();
    signal?.addEventListener("abort", () => resolve(), { once: true });
  });
}
