import { KernelError } from "../../kernel/errors.ts";
import type { SandboxMode } from "../../sandbox/sandbox-plan.ts";

/** The first words of an engine that could not set the limits: the program has not run. */
const complaint = /^(bwrap: |granary: the sandbox could not be set up: )/;

/**
 * Starts Python in a sandbox, and once more where the limits could not be set: a socket may be gone before the engine covers its
 * path. Each start makes a new plan.
 */
export async function startTwice<T>(start: () => Promise<T>, mode: SandboxMode): Promise<T> {
  try {
    return await start();
  } catch (error) {
    if (!(error instanceof KernelError) || !complaint.test(String(error.details.stderr))) throw sayHidden(error, mode);
    return start();
  }
}

/** The words of a shell and of the system's loader for a program, or a library of it, that is not there. */
const missing = /: not found$|cannot open shared object file/m;

/** Python is often usable outside, and then only the mode explains why it is not here. */
function sayHidden(error: unknown, mode: SandboxMode): unknown {
  if (mode !== "strict" || !(error instanceof KernelError) || !missing.test(String(error.details.stderr))) return error;
  const why =
    "A strict sandbox (python.sandbox: strict) shows only the system, the folders of the interpreter and the working folder.";
  const remedy = "Name the interpreter in its own folder with --python PATH, or use --sandbox=workspace.";
  return new KernelError(error.code, `${error.message}\n${why} ${remedy}`, { cause: error, details: error.details });
}

/** The sentence for a command that has not begun. */
export function sayNotSetUp(output: string): readonly string[] {
  return complaint.test(output)
    ? [
        "The sandbox could not be set up, so the command did not run. A file or socket may have disappeared at the same time: run it again.",
      ]
    : [];
}
