import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { systemReason } from "../../../../support/files/system-reason.ts";
import type { CommandContext } from "../../command/command-context.ts";
import { UsageError } from "../../command/usage-error.ts";
import { inFolder } from "../one-file.ts";

/** Text for a command: what was given, else what standard input holds. */
export async function givenText(given: string | undefined, context: CommandContext, remedy: string): Promise<string> {
  if (given !== undefined && given !== "-") return given;
  if (given === undefined && context.isTerminal("stdin")) throw new UsageError(remedy);
  return text(context.stdin);
}

export async function textOfFile(path: string, context: CommandContext): Promise<string> {
  try {
    return await readFile(inFolder(path, context), "utf8");
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${systemReason(error)}.`);
  }
}
