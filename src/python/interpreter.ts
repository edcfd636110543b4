/** The Python chosen to run kernels. */
export interface Interpreter {
  /** Absolute path. Not resolved through symbolic links: a virtual environment's Python is such a link. */
  readonly executable: string;
  /** The name of the rule that found it. */
  readonly source: InterpreterSource;
  /** The virtual environment it belongs to, if it belongs to one. */
  readonly virtualEnvironment: string | null;
  /** The conda environment it belongs to, if it belongs to one. */
  readonly condaEnvironment: string | null;
  /** The facts that this Python reported; null if it was not asked. */
  readonly facts: PythonFacts | null;
  /** The shim or wrapper that reported the paths above. Files of the folder may have chosen its answer. */
  readonly reportedBy?: string | undefined;
  /** Unusable candidates that come earlier in the order, to report to the user. */
  readonly skipped: readonly RejectedCandidate[];
}

/** The rules, in their order. `managed` is Granary's own environment. */
export type InterpreterSource = "explicit" | "VIRTUAL_ENV" | ".venv" | "venv" | "CONDA_PREFIX" | "managed" | "PATH";

/** Facts that a Python reports about itself. */
export interface PythonFacts {
  /** As in `3.13.0`. */
  readonly version: string;
  /** As in `sys.implementation.name`: `cpython`, `pypy`. */
  readonly implementation: string;
  readonly prefix: string;
  /** The prefix of the Python under a virtual environment; otherwise the same as `prefix`. */
  readonly basePrefix: string;
  /** The folders of its packages; some may not exist. */
  readonly sitePackages: readonly string[];
  /** The importable ones among the packages that Granary can use. */
  readonly modules: readonly string[];
}

export interface RejectedCandidate {
  readonly path: string;
  readonly source: InterpreterSource;
  /** Completes the sentence that begins with the path: `links to a file that does not exist any more`. */
  readonly problem: string;
  /** Set if it lies in or above the folder and belongs to another user: the number of that user. */
  readonly stranger?: number | undefined;
  /** Set if the machine could not start any program, which is no problem of this Python. */
  readonly shortage?: Error | undefined;
}
