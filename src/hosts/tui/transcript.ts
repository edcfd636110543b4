import type { Look, TranscriptBlock } from "./blocks/block.ts";

/** All blocks, in order. */
export class Transcript {
  #blocks: readonly TranscriptBlock[] = [];
  /** Blocks that were not cleared. */
  #kept: readonly TranscriptBlock[] = [];
  /** Blocks before this one have scrolled away, and the screen no longer has them. */
  #firstShown = 0;

  add(block: TranscriptBlock): void {
    this.#blocks.at(-1)?.settle?.();
    this.#blocks = [...this.#blocks, block];
    this.#kept = [...this.#kept, block];
  }

  get all(): readonly TranscriptBlock[] {
    return this.#blocks;
  }

  /** With a blank line after every block that is not a heading. */
  render(look: Look): readonly string[] {
    return this.#kept.slice(this.#firstShown).flatMap((block) => this.#spaced(block, look));
  }

  /** Begins with the first block that fits the screen whole, or with the last one. */
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

  /** Current lines stay where they are printed; running blocks continue below. */
  forgetAll(): void {
    const underWay = this.#kept.findIndex(({ isUnderWay }) => isUnderWay);
    this.#firstShown = underWay === -1 ? this.#kept.length : underWay;
  }

  /** Shows only running blocks from now on; the rest does not come back. */
  clear(): void {
    // Later output added to it would be invisible.
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
