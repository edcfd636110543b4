import { tailWithin } from "../../../output/text/utf8-cut.ts";

/** Clients give up on a call that is silent for long; nothing is ever heard less often than this. */
const heartbeatMs = 4000;
/** A cell that prints all the time is told of as often as a person can follow. */
const mostOftenMs = 500;
const tailBytes = 1500;

export interface ProgressNote {
  /** Seconds since the call began: it only has to grow. */
  readonly progress: number;
  readonly message: string;
}

/** Tells how a call is getting on: what it printed last, and that it is still alive while it prints nothing. */
export class CallProgress implements Disposable {
  readonly #tell: (note: ProgressNote) => void;
  readonly #beganAt = performance.now();
  #tail = "";
  #toldAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(tell: (note: ProgressNote) => void) {
    this.#tell = tell;
    this.#tellIn(heartbeatMs);
  }

  /** The last of the output so far. */
  update(text: string): void {
    this.#tail = text;
    this.#tellIn(Math.max(0, this.#toldAt + mostOftenMs - performance.now()));
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  #tellIn(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#tellNow(), milliseconds);
  }

  #tellNow(): void {
    this.#toldAt = performance.now();
    const seconds = (this.#toldAt - this.#beganAt) / 1000;
    const tail = tailWithin(this.#tail.trimEnd(), tailBytes);
    this.#tell({ progress: seconds, message: tail === "" ? `Running for ${Math.round(seconds)} s.` : tail });
    this.#tellIn(heartbeatMs);
  }
}
