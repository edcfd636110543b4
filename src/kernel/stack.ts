/** Where a running cell is. */
export interface CellStack {
  /** Outermost first, without Granary's own frames around the cell; empty when no cell runs, or the stack is unknown. */
  readonly frames: readonly StackFrame[];
  /** The user's other threads. */
  readonly threads: readonly { readonly name: string | null; readonly frames: readonly StackFrame[] }[];
  /**
   * When Python noted this stack, in milliseconds of `Date.now()`, if C code holds the interpreter lock, so that Python cannot
   * answer. Null for the current stack.
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
