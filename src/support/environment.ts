import { homedir } from "node:os";
import { GranaryError } from "./granary-error.ts";

/** The environment of a process; `process.env` fits. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The home folder of a user whose environment names none.
 * @throws {GranaryError} `no-home` for a user without an account, as in some containers
 */
export function homeOfAccount(): string {
  try {
    return homedir();
  } catch (cause) {
    const problem = `User ${process.getuid?.()} has no home folder: HOME is not set, and the system has no account of that number.`;
    const remedy = "Set HOME to a folder that you can write, as in: export HOME=$(mktemp -d)";
    throw new GranaryError("no-home", `${problem} ${remedy}`, { cause });
  }
}
