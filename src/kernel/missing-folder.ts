import { existsSync, statSync } from "node:fs";
import { KernelError } from "./errors.ts";

/** The system says of a missing folder what it says of a missing program: which of both it is, is to be looked up. */
export function missingFolder(cwd: string, cause: unknown): KernelError | null {
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) return null;
  const problem = existsSync(cwd) ? "is not a folder" : "does not exist";
  const sentence = `The working folder ${cwd} ${problem}. Create it, or name another.`;
  return new KernelError("no-folder", sentence, { details: { cwd }, cause });
}
