export interface TracebackFrame {
  /** As the traceback names it: a path, `<cell 3>`, `Cell In[3]`. */
  readonly file: string;
  readonly line: number | null;
  readonly function: string | null;
  /** The line of code, without its indentation; null if the traceback does not show it. */
  readonly source: string | null;
  /** Whose code it is: a cell's, a file's of the user, or that of a library or of Python itself. */
  readonly kind: "cell" | "user" | "library";
}

export interface ReportedException {
  readonly name: string;
  /** May have several lines, and includes added notes. */
  readonly message: string;
  /**
   * The relation to the previous exception in the list: that one is its `cause` (`raise … from`) or its
   * `context` (raised while handling); or this one is a `member` of an earlier group.
   */
  readonly link: "cause" | "context" | "member" | null;
  /** The outermost call first, as Python prints them. */
  readonly frames: readonly TracebackFrame[];
}

/** The origin of a frame, judged by its path. */
export function frameKind(file: string): TracebackFrame["kind"] {
  if (/^(?:<(?:run_)?cell \d+>|<ipython-input|(?:Cell |Input )?In ?\[)|[/\\]ipykernel_\d+[/\\]\d+\.py$/.test(file))
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
  // Compiled from Cython, with the path from its build.
  const compiled = /^([\w-]+)\/.*\.(?:pyx|pxi|pxd)$/.exec(path);
  return compiled?.[1] ?? null;
}
