/** The environment of a process; `process.env` fits. */
export type Environment = Readonly<Record<string, string | undefined>>;
