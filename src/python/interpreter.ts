/** An environment as a process is given it; `process.env` fits. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A Python that was chosen to run kernels. */
export interface Interpreter {
  /** Absolute path. Not resolved through symbolic links: a virtual environment's Python is such a link. */
  readonly executable: string;
  /** Why this one: the name of the rule that found it. */
  readonly source: InterpreterSource;
  /** The virtual environment it belongs to, if it belongs to one. */
  readonly virtualEnvironment: string | null;
}

export type InterpreterSource = "explicit" | "VIRTUAL_ENV" | ".venv" | "venv" | "PATH";
