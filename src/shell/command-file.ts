import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeOwnedFolder } from "../support/files/owned-folder.ts";

/** Linux takes no argument of more than 128 KiB, even if there is room for more. */
const longestArgument = 128 * 1024 - 1;

export interface CommandFile extends AsyncDisposable {
  /** Undefined where the command fits into an argument. */
  readonly path: string | undefined;
}

/** A command that is too long for an argument, in a file that only the user can read. */
export async function commandFile(command: string): Promise<CommandFile> {
  if (Buffer.byteLength(command) <= longestArgument) return { path: undefined, async [Symbol.asyncDispose]() {} };
  const folder = makeOwnedFolder("command");
  const path = join(folder, "command");
  await writeFile(path, command, { mode: 0o600 });
  return { path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}
