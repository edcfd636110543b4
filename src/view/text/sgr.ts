/**
 * The styles that are on at a place of a text, so that a line which breaks there can switch them off and the
 * next one on again.
 */
export class ActiveStyles {
  /** The SGR numbers that switched it on, and the number that switches it off. */
  readonly #active: { readonly on: string; readonly off: number }[] = [];

  /** @param sequence any escape sequence; only SGR changes something */
  take(sequence: string): void {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: SGR sequences begin with one
    const numbers = /^\u001b\[([\d;]*)m$/.exec(sequence)?.[1];
    if (numbers === undefined) return;
    const codes = numbers.split(";").map(Number);
    for (let at = 0; at < codes.length; ) {
      const length = lengthAt(codes, at);
      this.#apply(codes.slice(at, at + length));
      at += length;
    }
  }

  /** The sequence that switches the current styles on. */
  get on(): string {
    return sequence(this.#active.map(({ on }) => on));
  }

  /** The sequence that switches them off. */
  get off(): string {
    return sequence([...new Set(this.#active.map(({ off }) => off))]);
  }

  #apply(codes: readonly number[]): void {
    const [code = 0] = codes;
    if (code === 0) this.#active.length = 0;
    const off = offFor(code);
    if (off === null) return this.#forget(code);
    // Bold and dim end together and can both be on; of every other kind only the last counts.
    if (off !== 22) this.#forget(off);
    this.#active.push({ on: codes.join(";"), off });
  }

  #forget(off: number): void {
    const others = this.#active.filter((style) => style.off !== off);
    this.#active.splice(0, this.#active.length, ...others);
  }
}

function sequence(codes: readonly (string | number)[]): string {
  return codes.length === 0 ? "" : `\u001b[${codes.join(";")}m`;
}

/** Null for numbers that switch nothing on. */
function offFor(code: number): number | null {
  if (code === 1 || code === 2) return 22;
  if (code >= 3 && code <= 9) return code === 6 ? 25 : code + 20;
  if ((code >= 30 && code <= 38) || (code >= 90 && code <= 97)) return 39;
  if ((code >= 40 && code <= 48) || (code >= 100 && code <= 107)) return 49;
  return null;
}

/** `38;5;75` and `38;2;1;2;3` are one colour each. */
function lengthAt(codes: readonly number[], at: number): number {
  if (codes[at] !== 38 && codes[at] !== 48) return 1;
  return codes[at + 1] === 5 ? 3 : codes[at + 1] === 2 ? 5 : 1;
}
