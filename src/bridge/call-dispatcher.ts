import type { HostAnswer, KernelCall, OnHostCall } from "../kernel/host-call.ts";
import { deferred } from "../support/deferred.ts";
import { GranaryError } from "../support/granary-error.ts";

/** Receives the calls of one session's Python, from one kernel after the other. */
export class CallDispatcher {
  readonly #serve: OnHostCall;
  #cell: CellCalls | null = null;

  constructor(serve: OnHostCall) {
    this.#serve = serve;
  }

  /** Calls belong to this cell from now on. */
  cellBegins(onClock: (running: boolean) => void): CellCalls {
    this.#cell = new CellCalls(onClock);
    return this.#cell;
  }

  /** Calls that began in an earlier cell continue, in the threads that made them. */
  cellEnds(): void {
    this.#cell?.end();
    this.#cell = null;
  }

  /** Python's main thread gets the interrupt and leaves its call by itself. Other threads would keep waiting. */
  cellInterrupted(): void {
    this.#cell?.interruptThreads();
  }

  readonly answer: OnHostCall = (call) => {
    const cell = this.#cell;
    return cell === null ? this.#serve(call) : cell.during(call, this.#serve);
  };
}

/** The calls of one cell. Its clock pauses while one of them runs. */
export class CellCalls {
  #onClock: (running: boolean) => void;
  readonly #threads = new Set<() => void>();
  #underWay = 0;

  constructor(onClock: (running: boolean) => void) {
    this.#onClock = onClock;
  }

  get areUnderWay(): boolean {
    return this.#underWay > 0;
  }

  end(): void {
    this.#onClock = () => {};
  }

  interruptThreads(): void {
    for (const interrupt of this.#threads) interrupt();
  }

  async during(call: KernelCall, serve: OnHostCall): Promise<HostAnswer> {
    if (this.#underWay++ === 0) this.#onClock(false);
    try {
      return call.onMainThread ? await serve(call) : await this.#unlessInterrupted(call, serve);
    } finally {
      if (--this.#underWay === 0) this.#onClock(true);
    }
  }

  async #unlessInterrupted(call: KernelCall, serve: OnHostCall): Promise<HostAnswer> {
    const stop = new AbortController();
    const interrupted = deferred<never>();
    const forward = (): void => stop.abort(call.signal.reason);
    const interrupt = (): void => {
      stop.abort();
      interrupted.reject(new GranaryError("cancelled", "The cell that made this call was interrupted."));
    };
    call.signal.addEventListener("abort", forward, { once: true });
    this.#threads.add(interrupt);
    try {
      return await Promise.race([serve({ ...call, signal: stop.signal }), interrupted.promise]);
    } finally {
      this.#threads.delete(interrupt);
      call.signal.removeEventListener("abort", forward);
    }
  }
}
