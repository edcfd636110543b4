import { type ProgressBar, sayBar } from "../../../output/progress-bar.ts";
import { tailWithin } from "../../../output/text/utf8-cut.ts";

/** Clients time out a silent call, so progress is reported at least this often. */
const heartbeatMs = 4000;
/** At most this often, as fast as a person can follow a cell that prints all the time. */
const mostOftenMs = 500;
const tailBytes = 1500;

export interface ProgressNote {
  /** Seconds since the call began; the protocol only requires that the number grows. */
  readonly progress: number;
  /** The estimated seconds, if a progress bar has a time left. */
  readonly total?: number;
  readonly message: string;
}

/** Reports a call's progress: the end of its output, or that it still runs. */
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

  /** The end of the output so far, and the open progress bars. */
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
