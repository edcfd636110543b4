/** A fork that takes longer is noticed. */
const slowMs = 50;
/** The share of time that forks may take in the long run. */
const mostOfTime = 0.02;
/** The same for the cells of one notebook run: a crash costs at most the work of a moment, which can be repeated. */
const mostOfSeries = 0.05;
/** The forks of a burst of cells, together: two hundred of an empty kernel, two dozen of one with a gigabyte. */
const burstMs = 500;
/** The CPU time of a checkpoint besides the fork: its connection, and the beginning and end of the copy. */
const besidesMs = 2;
/** The time of a run for one, besides the fork: Python copies the pages that it writes to, and the copy has to end with the kernel. */
const costsRunMs = 10;

/**
 * Bounds what checkpoints cost. After slow forks, not every cell is worth another one; a single slow one may be chance, and the first
 * checkpoint has no older one. A program that runs cells in a loop has a checkpoint now and then.
 */
export class CheckpointPace {
  /** The quicker one of the last two. */
  #forkMs = 0;
  #lastMs = 0;
  #at = 0;
  #seriesBegan = 0;
  /** The time that forks may still take at once. */
  #leftMs = burstMs;

  taken(forkMs: number, now = performance.now()): void {
    this.#leftMs = this.#left(now) - forkMs - besidesMs;
    this.#forkMs = Math.min(forkMs, this.#lastMs);
    this.#lastMs = forkMs;
    this.#at = now;
  }

  /** The next cell may be the first of a notebook run. */
  mayBeginSeries(now = performance.now()): void {
    this.#seriesBegan = now;
  }

  /**
   * Why the next cell goes without; null when it is worth it.
   * @param inSeries for the next cell of the same notebook run
   */
  whyNot(now = performance.now(), inSeries = false): string | null {
    const since = Math.max(this.#at, this.#seriesBegan);
    if (inSeries && now - since < (this.#lastMs + costsRunMs) / mostOfSeries)
      return "the cells of the run since the last one took little time";
    const pause = this.#forkMs / mostOfTime;
    if (this.#forkMs > slowMs && now - this.#at < pause)
      return `the last ones took ${Math.round(this.#forkMs)} ms, so there is one every ${Math.round(pause / 1000)} s`;
    return this.#left(now) > 0 ? null : "there were many in a short time, so they take 2 % of the time now";
  }

  #left(now: number): number {
    return Math.min(burstMs, this.#leftMs + (now - this.#at) * mostOfTime);
  }
}
