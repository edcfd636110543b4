import type { InterpreterSource } from "./interpreter.ts";

export interface RejectedCandidate {
  readonly path: string;
  readonly source: InterpreterSource;
  /** Completes the sentence that begins with the path: `links to a file that does not exist any more`. */
  readonly problem: string;
}

/** No usable Python; says where one was looked for, what was wrong there, and what to do. */
export class NoPythonError extends Error {
  override readonly name = "NoPythonError";
  readonly code = "no-python";
  readonly rejected: readonly RejectedCandidate[];

  constructor(rejected: readonly RejectedCandidate[], explicit: boolean) {
    const problems = rejected.map(({ path, problem }) => `${path} ${problem}.`);
    super((explicit ? [...problems, leaveItOut] : [lookedAt, ...problems, createOne]).join(" "));
    this.rejected = rejected;
  }
}

const lookedAt = "No Python found. Looked at VIRTUAL_ENV, .venv, venv and PATH.";
const createOne = "Create one with: python3 -m venv .venv";
const leaveItOut = "Name the executable of a Python 3.8 or newer, or name none and let Granary look for one.";
