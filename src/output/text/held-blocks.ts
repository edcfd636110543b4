import type { MarkedPiece, TextMark } from "./marked-text.ts";

/** Text, and its slot if it may still be replaced. */
interface Held extends MarkedPiece {
  readonly slot: string | null;
}

// After so much later text, the text of a slot is final.
const heldLength = 256 * 1024;
/** Approximate size of a mark besides its text: there may be any number of marks without text. */
const markLength = 64;

/**
 * Text that is not final yet. A display that can be updated waits here for a while, with all later text,
 * so that its last state appears in the place of the first.
 */
export class HeldBlocks {
  readonly #onFinal: (text: string, mark: TextMark | null) => void;
  #held: Held[] = [];
  #length = 0;

  constructor(onFinal: (text: string, mark: TextMark | null) => void) {
    this.#onFinal = onFinal;
  }

  get current(): string {
    return this.#held.map(({ text }) => text).join("");
  }

  get pieces(): readonly MarkedPiece[] {
    return this.#held;
  }

  add(text: string, slot: string | null = null, mark: TextMark | null = null): void {
    if (this.#held.length === 0 && slot === null) return this.#onFinal(text, mark);
    const last = this.#held.at(-1);
    const canJoin = last?.slot === null && last.mark === null && slot === null && mark === null;
    if (canJoin) this.#held[this.#held.length - 1] = { slot, mark, text: last.text + text };
    else this.#held.push({ slot, mark, text });
    this.#length += lengthOf({ text, mark });
    this.#release(heldLength);
  }

  /** Replaces the text of a slot; false if the slot is final. */
  update(slot: string, text: string): boolean {
    if (!this.#held.some((held) => held.slot === slot)) return false;
    this.#held = this.#held.map((held) => (held.slot === slot ? { ...held, text } : held));
    this.#length = this.#held.reduce((sum, held) => sum + lengthOf(held), 0);
    this.#release(heldLength);
    return true;
  }

  finish(): void {
    this.#release(-1);
  }

  clear(): void {
    this.#held = [];
    this.#length = 0;
  }

  /** Releases text from the front until at most `limit` is left, and then up to the next slot: only slots need to wait. */
  #release(limit: number): void {
    while (this.#held.length > 0 && (this.#length > limit || this.#held[0]?.slot === null)) {
      const { text, mark } = this.#held.shift() as Held;
      this.#length -= lengthOf({ text, mark });
      this.#onFinal(text, mark);
    }
  }
}

function lengthOf({ text, mark }: MarkedPiece): number {
  return text.length + (mark === null ? 0 : markLength);
}
