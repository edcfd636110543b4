import { text } from "node:stream/consumers";
import { systemReason } from "../../../../support/files/system-reason.ts";
import { isGranaryError } from "../../../../support/granary-error.ts";
import type { CommandContext } from "../../command/command-context.ts";
import { readTypedFile } from "../../command/typed-file.ts";
import { UsageError } from "../../command/usage-error.ts";
import { inFolder } from "../one-file.ts";

/** The text of a command: the given one, else standard input. */
export async function givenText(given: string | undefined, context: CommandContext, remedy: string): Promise<string> {
  if (given !== undefined && given !== "-") return given;
  if (given === undefined && context.isTerminal("stdin")) throw new UsageError(remedy);
  return text(context.stdin);
}

export async function textOfFile(path: string, context: CommandContext): Promise<string> {
  try {
    const bytes = await readTypedFile(inFolder(path, context), context.env, {
      folder: context.cwd,
      sandbox: undefined,
    });
    return bytes.toString("utf8");
  } catch (error) {
    if (isGranaryError(error)) throw error;
    throw new UsageError(`${path} cannot be read: ${systemReason(error)}.`);
  }
}
