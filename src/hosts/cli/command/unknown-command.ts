import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { closest } from "../../../support/closest.ts";
import { UsageError } from "./usage-error.ts";

/** Whether that is no command, but a file or a folder to run; a file that does not exist is told apart by its name. */
export async function isFileToRun(typed: string, cwd: string): Promise<boolean> {
  if (typed.startsWith("-")) return false;
  const found = await stat(resolve(cwd, typed)).catch(() => null);
  if (found === null) return /\.(py|ipynb)$/i.test(typed);
  return found.isFile() || found.isDirectory();
}

/** What somebody who typed a command that does not exist probably wanted. */
export function explainUnknownCommand(typed: string, commands: readonly string[]): UsageError {
  if (typed.startsWith("-")) {
    return new UsageError(`${typed} belongs behind a command, as in: granary run ${typed} …`);
  }
  const similar = closest(typed, commands);
  const hint = similar === null ? "See: granary --help" : `Did you mean: granary ${similar}`;
  return new UsageError(`There is no command ${typed}. ${hint}`);
}
