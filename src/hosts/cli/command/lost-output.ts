import { systemReason } from "../../../support/files/system-reason.ts";
import type { CommandContext } from "./command-context.ts";
import { exitCodes } from "./exit-codes.ts";
import { say } from "./say.ts";

/** Says why output was not written, and makes sure that this does not look like success. */
export async function exitCodeOfLostOutput(
  error: NodeJS.ErrnoException,
  exitCode: number,
  { stderr }: Pick<CommandContext, "stderr">,
): Promise<number> {
  // A closed reader has read what it wanted.
  if (error.code === "EPIPE") return exitCode;
  await say(stderr, `granary: The output cannot be written: ${systemReason(error)}.\n`);
  return Math.max(exitCode, exitCodes.failed);
}
