import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { makeOwnedFolder } from "../support/files/owned-folder.ts";

/** Linux takes no argument of more than 128 KiB, even if there is room for more. */
const longestArgument = 128 * 1024 - 1;

export interface CommandFile extends AsyncDisposable {
  /** Undefined where the command fits into an argument. */
  readonly path: string | undefined;
}

/** A folder, as this process and as the command name it. */
export interface SharedFolder {
  readonly outside: string;
  readonly inside: string;
}

/** A command that is too long for an argument, in a file that only the user can read. */
export async function commandFile(command: string, shared?: SharedFolder): Promise<CommandFile> {
  if (Buffer.byteLength(command) <= longestArgument) return { path: undefined, async [Symbol.asyncDispose]() {} };
  const folder = shared === undefined ? makeOwnedFolder("command") : await mkdtemp(join(shared.outside, "command-"));
  await writeFile(join(folder, "command"), command, { mode: 0o600 });
  const path = shared === undefined ? join(folder, "command") : join(shared.inside, basename(folder), "command");
  return { path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}
