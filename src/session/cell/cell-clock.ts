/** The longest delay that a timer can hold; a time-out beyond it (24 days) never comes. */
const longestTimerMs = 2 ** 31 - 1;

/** A cell's time-out: counts from the cell's turn on, but not while pip downloads on its behalf, or a person is asked. */
export class CellClock {
  readonly #timedOut = new AbortController();
  readonly #isOver: () => boolean;
  #leftMs: number;
  #hasRung = false;
  #runningSince: number | null = null;
  #timer: NodeJS.Timeout | undefined;

  /** `isOver` tells that the cell has ended, though a slow reader may not have come to that yet. */
  constructor(timeoutMs: number, isOver: () => boolean = () => false) {
    this.#leftMs = timeoutMs;
    this.#isOver = isOver;
  }

  /** Aborts when the time is up. Made when it is first asked for, and a trivial cell should not have to pay for it. */
  get signal(): AbortSignal {
    return this.#timedOut.signal;
  }

  /** Whether the time was up before the cell was over. */
  get hasRung(): boolean {
    return this.#hasRung;
  }

  /** What is left of it. */
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
