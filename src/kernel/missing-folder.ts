import { existsSync, statSync } from "node:fs";
import { KernelError } from "./errors.ts";

/** The system reports a missing folder like a missing program; this finds out which of the two it is. */
export function missingFolder(cwd: string, cause: unknown): KernelError | null {
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) return null;
  const problem = existsSync(cwd) ? "is not a folder" : "does not exist";
  const sentence = `The working folder ${cwd} ${problem}. Create it, or name another.`;
  return new KernelError("no-folder", sentence, { details: { cwd }, cause });
}
