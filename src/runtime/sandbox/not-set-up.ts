import { KernelError } from "../../kernel/errors.ts";

/** The first words of an engine that could not set the limits: the program has not run. */
const complaint = /^(bwrap: |granary: the sandbox could not be set up: )/;

/**
 * Starts Python in a sandbox, and once more where the limits could not be set: a socket may be gone before the engine covers its
 * path. Each start makes a new plan.
 */
export function startTwice<T>(start: () => Promise<T>): Promise<T> {
  return start().catch((error: unknown) => {
    if (!(error instanceof KernelError) || !complaint.test(String(error.details.stderr))) throw error;
    return start();
  });
}

/** The sentence for a command that has not begun. */
export function sayNotSetUp(output: string): readonly string[] {
  return complaint.test(output)
    ? [
        "The sandbox could not be set up, so the command did not run. A file or socket may have disappeared at the same time: run it again.",
      ]
    : [];
}
