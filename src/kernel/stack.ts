/** Where a running cell is. */
export interface CellStack {
  /** The outermost first, without Granary's own that lead to the cell; empty when no cell runs, or nothing is known. */
  readonly frames: readonly StackFrame[];
  /** The user's other threads. */
  readonly threads: readonly { readonly name: string | null; readonly frames: readonly StackFrame[] }[];
  /**
   * When Python said so, in milliseconds of `Date.now()`, if that is not now: C code holds the interpreter lock, and nothing
   * can run beside it. Null when it is as it is now.
   */
  readonly lastKnownAt: number | null;
}

export interface StackFrame {
  readonly file: string;
  readonly line: number | null;
  readonly function: string;
  /** The line of code, without its indentation; null when it is not known. */
  readonly source: string | null;
}
