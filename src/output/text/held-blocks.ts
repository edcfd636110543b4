/** Some text, and the slot it is in, if it may still be replaced. */
interface Held {
  readonly slot: string | null;
  readonly text: string;
}

// So much text may come after a slot before its text is final.
const heldLength = 256 * 1024;

/**
 * Text on its way to being final. Where a display can be updated, it waits there for a while, and with it all that
 * comes after, so that the last state of the display stands where the first one was.
 */
export class HeldBlocks {
  readonly #onFinal: (text: string) => void;
  #held: Held[] = [];
  #length = 0;

  constructor(onFinal: (text: string) => void) {
    this.#onFinal = onFinal;
  }

  get current(): string {
    return this.#held.map(({ text }) => text).join("");
  }

  add(text: string, slot: string | null = null): void {
    if (this.#held.length === 0 && slot === null) return this.#onFinal(text);
    const last = this.#held.at(-1);
    if (last?.slot === null && slot === null) this.#held[this.#held.length - 1] = { slot, text: last.text + text };
    else this.#held.push({ slot, text });
    this.#length += text.length;
    this.#release(heldLength);
  }

  /** Gives a slot its new text, wherever it stands; false when it is nowhere any more. */
  update(slot: string, text: string): boolean {
    if (!this.#held.some((held) => held.slot === slot)) return false;
    this.#held = this.#held.map((held) => (held.slot === slot ? { slot, text } : held));
    this.#length = this.current.length;
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

  /** Hands on from the front until no more than `limit` is left, and then up to the next slot: only those need to wait. */
  #release(limit: number): void {
    while (this.#held.length > 0 && (this.#length > limit || this.#held[0]?.slot === null)) {
      const { text } = this.#held.shift() as Held;
      this.#length -= text.length;
      this.#onFinal(text);
    }
  }
}
