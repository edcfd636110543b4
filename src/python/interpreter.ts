/** A Python that was chosen to run kernels. */
export interface Interpreter {
  /** Absolute path. Not resolved through symbolic links: a virtual environment's Python is such a link. */
  readonly executable: string;
  /** Why this one: the name of the rule that found it. */
  readonly source: InterpreterSource;
  /** The virtual environment it belongs to, if it belongs to one. */
  readonly virtualEnvironment: string | null;
  /** The conda environment it belongs to, if it belongs to one. */
  readonly condaEnvironment: string | null;
  /** What it said about itself; null when it was not asked. */
  readonly facts: PythonFacts | null;
  /** What comes before it in the order and cannot be used: whoever made it will wonder. */
  readonly skipped: readonly RejectedCandidate[];
}

/** The rules, in their order. `managed` is Granary's own environment. */
export type InterpreterSource = "explicit" | "VIRTUAL_ENV" | ".venv" | "venv" | "CONDA_PREFIX" | "managed" | "PATH";

/** What a Python says about itself. */
export interface PythonFacts {
  /** As in `3.13.0`. */
  readonly version: string;
  /** As in `sys.implementation.name`: `cpython`, `pypy`. */
  readonly implementation: string;
  readonly prefix: string;
  /** The prefix of the Python under a virtual environment; otherwise the same as `prefix`. */
  readonly basePrefix: string;
  /** The folders in which it finds packages; not all of them need exist. */
  readonly sitePackages: readonly string[];
  /** Those of the packages that Granary has a use for which can be imported. */
  readonly modules: readonly string[];
}

export interface RejectedCandidate {
  readonly path: string;
  readonly source: InterpreterSource;
  /** Completes the sentence that begins with the path: `links to a file that does not exist any more`. */
  readonly problem: string;
  /** Set when the machine could start no program at all, which says nothing about this Python. */
  readonly shortage?: Error | undefined;
}
