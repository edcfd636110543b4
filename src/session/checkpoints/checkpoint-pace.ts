/** A fork that takes longer is noticed. */
const slowMs = 50;
/** The share of time that forks may take then. */
const mostOfTime = 0.02;

/** After slow forks, not every cell is worth another one. A single one may be chance, and the first checkpoint has no older one. */
export class CheckpointPace {
  readonly #always: boolean;
  /** The quicker one of the last two. */
  #forkMs = 0;
  #lastMs = 0;
  #at = 0;

  constructor(always: boolean) {
    this.#always = always;
  }

  taken(forkMs: number, now = performance.now()): void {
    this.#forkMs = Math.min(forkMs, this.#lastMs);
    this.#lastMs = forkMs;
    this.#at = now;
  }

  /** Why the next cell goes without; null when it is worth it. */
  whyNot(now = performance.now()): string | null {
    if (this.#always || this.#forkMs <= slowMs) return null;
    const pause = this.#forkMs / mostOfTime;
    if (now - this.#at >= pause) return null;
    return `the last ones took ${Math.round(this.#forkMs)} ms, so there is one every ${Math.round(pause / 1000)} s`;
  }
}
