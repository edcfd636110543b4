import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { closest } from "../../support/closest.ts";
import { UsageError } from "./usage-error.ts";

/** What somebody who typed a command that does not exist probably wanted. */
export async function explainUnknownCommand(
  typed: string,
  commands: readonly string[],
  cwd: string,
): Promise<UsageError> {
  if (typed.startsWith("-")) {
    return new UsageError(`${typed} belongs behind a command, as in: granary run ${typed} …`);
  }
  const isFile = await stat(resolve(cwd, typed)).then(
    (found) => found.isFile(),
    () => false,
  );
  if (isFile) return new UsageError(`There is no command ${typed}. To run that file: granary run ${typed}`);
  const similar = closest(typed, commands);
  const hint = similar === null ? "See: granary --help" : `Did you mean: granary ${similar}`;
  return new UsageError(`There is no command ${typed}. ${hint}`);
}
