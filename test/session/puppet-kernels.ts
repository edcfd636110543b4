import { setImmediate as turn } from "node:timers/promises";
import { KernelError } from "../../src/kernel/errors.ts";
import type { KernelEvent, StreamName } from "../../src/kernel/events.ts";
import type { ExecuteOptions, ExitReport, Kernel, KernelState } from "../../src/kernel/kernel.ts";
import type { Trouble } from "../../src/kernel/trouble.ts";
import { deferred } from "../../src/support/deferred.ts";

/** The kinds of cells of a puppet. */
export const puppetCells = {
  /** Counts its runs in this kernel, and prints the number, which shows whether state was kept. */
  count: "count",
  /** Runs until it is interrupted. */
  hang: "hang",
  /** Crashes its kernel. */
  die: "die",
  /** Crashes its kernel when it is interrupted. */
  resist: "resist",
};

/** Kernels that exist only here, so that thousands can be started, killed and closed in a second. */
export class PuppetKernels {
  readonly living = new Set<PuppetKernel>();
  /** The largest number alive at the same time. */
  most = 0;
  started = 0;
  /** How many turns of the event loop something takes: a start, a cell, an end. */
  readonly #turns: () => number;

  constructor(turns: () => number = () => 1) {
    this.#turns = turns;
  }

  readonly start = async (signal: AbortSignal): Promise<PuppetKernel> => {
    const kernel = new PuppetKernel(++this.started, this.#turns, () => this.living.delete(kernel));
    this.living.add(kernel);
    this.most = Math.max(this.most, this.living.size);
    await turns(this.#turns());
    if (!signal.aborted) return kernel;
    kernel.kill();
    throw new KernelError("start-timeout", "Python did not start in time.");
  };
}

export class PuppetKernel implements Kernel {
  readonly id: string;
  readonly info: Kernel["info"];
  readonly exited: Promise<ExitReport>;
  readonly #exited = deferred<ExitReport>();
  readonly #turns: () => number;
  readonly #onEnd: () => void;
  readonly #background: ((text: string, name: StreamName) => void)[] = [];
  #state: KernelState = "idle";
  cellsBegun = 0;
  #interrupted = new AbortController();
  #count = 0;
  /** The finding of a heartbeat. */
  trouble: Trouble | null = null;
  /** The number of checks. */
  looks = 0;

  constructor(number: number, turns: () => number, onEnd: () => void, pid: number | null = number) {
    this.id = `puppet-${number}`;
    this.info = { backend: "runner", language: "python", version: "3.0.0", executable: "/python", pid };
    this.exited = this.#exited.promise;
    this.#turns = turns;
    this.#onEnd = onEnd;
  }

  get state(): KernelState {
    return this.#state;
  }

  execute(code: string, { signal }: ExecuteOptions = {}): AsyncIterable<KernelEvent> {
    if (this.#state === "dead") throw new KernelError("kernel-closed", "This kernel has ended.");
    if (this.#state === "busy") throw new KernelError("busy", "This kernel is running a cell.");
    this.#state = "busy";
    this.cellsBegun++;
    this.#interrupted = new AbortController();
    const interrupt = (): void => this.#interrupted.abort();
    if (signal?.aborted) interrupt();
    signal?.addEventListener("abort", interrupt, { once: true });
    return this.#untilItIsLeft(code);
  }

  onCell(): void {}

  async interrupt(): Promise<void> {
    this.#interrupted.abort();
  }

  async ping(): Promise<void> {}

  async findTrouble(): Promise<Trouble | null> {
    this.looks += 1;
    return this.trouble;
  }

  complete(): never {
    throw new Error("A puppet completes nothing.");
  }

  inspect(): never {
    throw new Error("A puppet inspects nothing.");
  }

  isComplete(): never {
    throw new Error("A puppet reads no code.");
  }

  onLateDisplay(): void {}

  onBackground(listener: (text: string, name: StreamName) => void): void {
    this.#background.push(listener);
  }

  /** Prints between cells. */
  say(text: string): void {
    for (const listener of this.#background) listener(text, "stdout");
  }

  kill(): void {
    this.#end(false, "Python was killed (SIGKILL).");
  }

  async close(why?: string): Promise<void> {
    if (this.#state === "dead") return;
    await turns(this.#turns());
    this.#end(why === undefined, why ?? "Python was closed.");
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async *#untilItIsLeft(code: string): AsyncGenerator<KernelEvent, void> {
    try {
      yield* this.#play(code);
    } finally {
      if (this.#state === "busy") this.#state = "idle";
    }
  }

  async *#play(code: string): AsyncGenerator<KernelEvent, void> {
    const begins = this.#turns();
    await turns(begins);
    if (this.#state === "dead") throw this.#died(false);
    yield { type: "started", at: Date.now() };
    let outcome: "ok" | "interrupted" = "ok";
    for (let left = this.#turns(); left > 0 || code === "hang" || code === "resist"; left -= 1) {
      if (this.#state === ("dead" as KernelState)) throw this.#died(true);
      if (this.#interrupted.signal.aborted) {
        if (code === "resist") this.#end(false, "The cell did not end, so Python was ended.");
        outcome = "interrupted";
        if (code !== "resist") break;
      } else await turns(1);
    }
    if (code === "die") this.#end(false, "Python ended itself with exit code 3.");
    if (this.#state === ("dead" as KernelState)) throw this.#died(true);
    if (outcome === "ok") {
      this.#count += 1;
      yield { type: "stream", name: "stdout", text: `${this.#count}\n` };
    }
    if (this.#state === ("dead" as KernelState)) throw this.#died(true);
    this.#state = "idle";
    yield { type: "done", outcome, executionCount: this.#count };
  }

  #died(started: boolean): KernelError {
    return new KernelError("kernel-died", "Python has died.", { details: { started } });
  }

  #end(expected: boolean, summary: string): void {
    if (this.#state === "dead") return;
    this.#state = "dead";
    this.#onEnd();
    this.#exited.resolve({
      expected,
      byItself: !expected,
      exitCode: null,
      signal: null,
      lastStderr: "",
      stack: null,
      summary,
    });
  }
}

async function turns(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) await turn();
}
