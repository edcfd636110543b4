import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { closest } from "../../../support/closest.ts";
import { UsageError } from "./usage-error.ts";

/** Whether the first argument is a file or a folder to run. The name decides for a file that does not exist. */
export async function isFileToRun(typed: string, cwd: string): Promise<boolean> {
  if (typed === "" || typed.startsWith("-")) return false;
  const found = await stat(resolve(cwd, typed)).catch(() => null);
  if (found === null) return /\.(py|ipynb)$/i.test(typed);
  return found.isFile() || found.isDirectory();
}

/** Suggests a command for one that does not exist. */
export async function explainUnknownCommand(typed: string, commands: readonly string[]): Promise<UsageError> {
  if (typed.startsWith("-")) {
    const { isRunOption } = await import("../run/run-arguments.ts");
    return isRunOption(typed)
      ? new UsageError(`${typed} belongs behind a command, as in: granary run ${typed} …`)
      : new UsageError(`Unknown option ${typed}. See: granary --help`);
  }
  // A variable of a script that is not set, for example.
  if (typed === "") return new UsageError("The name of the command is empty. See: granary --help");
  const similar = typed === "version" ? "--version" : closest(typed, commands);
  const hint = similar === null ? "See: granary --help" : `Did you mean: granary ${similar}`;
  return new UsageError(`There is no command ${typed}. ${hint}`);
}
