/** The longest delay that a timer can hold; a longer timeout (24 days) never comes. */
const longestTimerMs = 2 ** 31 - 1;

/** A cell's timeout: counts from the cell's turn, but not while pip downloads for it, or a user is asked. */
export class CellClock {
  readonly #timedOut = new AbortController();
  readonly #isOver: () => boolean;
  #leftMs: number;
  #hasRung = false;
  #runningSince: number | null = null;
  #timer: NodeJS.Timeout | undefined;

  /** `isOver` says whether the cell has ended, which a slow reader may not know yet. */
  constructor(timeoutMs: number, isOver: () => boolean = () => false) {
    this.#leftMs = timeoutMs;
    this.#isOver = isOver;
  }

  /** Aborts when the time is up. Made on first use, so that a trivial cell does not pay for it. */
  get signal(): AbortSignal {
    return this.#timedOut.signal;
  }

  /** Whether the time was up before the cell was over. */
  get hasRung(): boolean {
    return this.#hasRung;
  }

  /** The time that is left. */
  get leftMs(): number {
    return this.#leftMs;
  }

  run(): void {
    if (this.#runningSince !== null) return;
    this.#runningSince = performance.now();
    if (this.#leftMs <= longestTimerMs) this.#timer = setTimeout(() => this.#ring(), this.#leftMs);
  }

  pause(): void {
    if (this.#runningSince === null) return;
    clearTimeout(this.#timer);
    this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - this.#runningSince));
    this.#runningSince = null;
  }

  #ring(): void {
    if (this.#isOver()) return;
    this.#hasRung = true;
    this.#timedOut.abort();
  }
}
