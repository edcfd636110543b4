/** An environment as a process is given it; `process.env` fits. */
export type Environment = Readonly<Record<string, string | undefined>>;
