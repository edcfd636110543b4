import type { SessionWish } from "../../../hub/session-wish.ts";
import { realFolder } from "../../../session/real-folder.ts";
import { shellWord } from "../../../support/shell-word.ts";
import { type CommandContext, typedPath } from "../command/command-context.ts";

/**
 * The session that a user names: the one of `--cwd`, or of the current folder.
 * @param onlyLooks without `--cwd`, the only session of that name will do as well
 */
export function typedSession(
  name: string,
  cwd: string | undefined,
  context: CommandContext,
  { onlyLooks }: { readonly onlyLooks: boolean },
): SessionWish {
  return { name, folder: typedPath(cwd ?? ".", context), elsewhere: onlyLooks && cwd === undefined };
}

/** ` in /b`, for a session that is not of the current folder. */
export function sayFolder(folder: string | null, context: CommandContext): string {
  return folder === null || isHere(folder, context) ? "" : ` in ${folder}`;
}

/** The name as a command needs it: `etl`, or `etl --cwd /b`. */
export function typeAgain({ name, folder }: Pick<SessionWish, "name" | "folder">, context: CommandContext): string {
  return isHere(folder, context) ? shellWord(name) : `${shellWord(name)} --cwd ${shellWord(folder)}`;
}

function isHere(folder: string, context: CommandContext): boolean {
  try {
    return realFolder(context.cwd) === realFolder(folder);
  } catch {
    // The current folder is gone.
    return false;
  }
}
