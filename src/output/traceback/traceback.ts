export interface TracebackFrame {
  /** As the traceback names it: a path, `<cell 3>`, `Cell In[3]`. */
  readonly file: string;
  readonly line: number | null;
  readonly function: string | null;
  /** The line of code, without its indentation; null when the traceback does not show it. */
  readonly source: string | null;
  /** Whose code it is: a cell's, a file's of the user, or that of a library or of Python itself. */
  readonly kind: "cell" | "user" | "library";
}

export interface ReportedException {
  readonly name: string;
  /** May be several lines, with the notes that were added. */
  readonly message: string;
  /**
   * How it hangs together with the one before it in the list: that one was its `cause` (`raise … from`), or its
   * `context` (raised while handling); or it is a `member` of a group that came before.
   */
  readonly link: "cause" | "context" | "member" | null;
  /** The outermost call first, as Python prints them. */
  readonly frames: readonly TracebackFrame[];
}

/** Where a frame comes from, as far as its path tells. */
export function frameKind(file: string): TracebackFrame["kind"] {
  if (/^(?:<cell \d+>|<ipython-input|(?:Cell |Input )?In ?\[)|[/\\]ipykernel_\d+[/\\]\d+\.py$/.test(file))
    return "cell";
  return libraryOf(file) === null ? "user" : "library";
}

/** `pandas` for a file of pandas, `Python` for one of the standard library, null for any other. */
export function libraryOf(file: string): string | null {
  const path = file.replaceAll("\\", "/");
  const installed = /\/(?:site|dist)-packages\/([^/]+?)(?:\.py)?(?:\/|$)/.exec(path);
  if (installed) return installed[1] ?? null;
  if (/^<(?:frozen |string>|__array_function__)/.test(path)) return path.startsWith("<frozen ") ? "Python" : null;
  if (/\/lib(?:64)?\/python\d+(?:\.\d+)*t?\/|\/Lib\/[^/]+(?:\/|\.py$)/.test(path)) return "Python";
  // Compiled from Cython, with the path it had where it was built.
  const compiled = /^([\w-]+)\/.*\.(?:pyx|pxi|pxd)$/.exec(path);
  return compiled?.[1] ?? null;
}
