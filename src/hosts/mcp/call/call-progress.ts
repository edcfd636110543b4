import { type ProgressBar, sayBar } from "../../../output/progress-bars.ts";
import { tailWithin } from "../../../output/text/utf8-cut.ts";

/** Clients give up on a call that is silent for long; nothing is ever heard less often than this. */
const heartbeatMs = 4000;
/** A cell that prints all the time is told of as often as a person can follow. */
const mostOftenMs = 500;
const tailBytes = 1500;

export interface ProgressNote {
  /** Seconds since the call began: it only has to grow. */
  readonly progress: number;
  /** Of the seconds, as far as a progress bar tells how many are left. */
  readonly total?: number;
  readonly message: string;
}

/** Tells how a call is getting on: what it printed last, and that it is still alive while it prints nothing. */
export class CallProgress implements Disposable {
  readonly #tell: (note: ProgressNote) => void;
  readonly #beganAt = performance.now();
  #tail = "";
  #bars: readonly ProgressBar[] = [];
  #toldAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(tell: (note: ProgressNote) => void) {
    this.#tell = tell;
    this.#tellIn(heartbeatMs);
  }

  /** The last of the output so far, and the progress bars that are under way. */
  update(text: string, bars: readonly ProgressBar[] = []): void {
    this.#tail = text;
    this.#bars = bars;
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
    const told = [...this.#bars.map(sayBar), tail].filter((line) => line !== "").join("\n");
    const left = Math.max(0, ...this.#bars.map(({ secondsLeft }) => secondsLeft ?? 0));
    this.#tell({
      progress: seconds,
      ...(left > 0 && Number.isFinite(left) && { total: seconds + left }),
      message: told === "" ? `Running for ${Math.round(seconds)} s.` : told,
    });
    this.#tellIn(heartbeatMs);
  }
}
