import type { Look, TranscriptBlock } from "./blocks/block.ts";

/** Everything that was run and said, one below the other. */
export class Transcript {
  #blocks: readonly TranscriptBlock[] = [];
  /** Those that were not cleared away. */
  #kept: readonly TranscriptBlock[] = [];
  /** Those before it have scrolled away, and the screen no longer knows them. */
  #firstShown = 0;

  add(block: TranscriptBlock): void {
    this.#blocks.at(-1)?.settle?.();
    this.#blocks = [...this.#blocks, block];
    this.#kept = [...this.#kept, block];
  }

  get all(): readonly TranscriptBlock[] {
    return this.#blocks;
  }

  /** With a blank line after every block that is no heading. */
  render(look: Look): readonly string[] {
    return this.#kept.slice(this.#firstShown).flatMap((block) => this.#spaced(block, look));
  }

  /** Begins with the first block that fits on the screen whole, or with the last one. */
  forgetWhatScrolledAway(look: Look, rows: number): void {
    let first = this.#kept.length;
    let used = 0;
    while (first > 0) {
      used += this.#spaced(this.#kept[first - 1] as TranscriptBlock, look).length;
      const isLast = first === this.#kept.length;
      if (used > rows && !isLast) break;
      first -= 1;
    }
    this.#firstShown = first;
  }

  /** All that is there now stays where it is printed; what is still under way goes on below it. */
  forgetAll(): void {
    const underWay = this.#kept.findIndex(({ isUnderWay }) => isUnderWay);
    this.#firstShown = underWay === -1 ? this.#kept.length : underWay;
  }

  /** Only what is still under way is shown from now on; the rest does not come back. */
  clear(): void {
    // What could still be added to it would not be seen.
    this.#blocks.at(-1)?.settle?.();
    this.#kept = this.#kept.filter(({ isUnderWay }) => isUnderWay);
    this.#firstShown = 0;
  }

  #spaced(block: TranscriptBlock, look: Look): readonly string[] {
    const lines = block.render(look);
    const isBeforeItsText = block.isHeading && block !== this.#blocks.at(-1);
    return lines.length === 0 || isBeforeItsText ? lines : [...lines, ""];
  }
}
