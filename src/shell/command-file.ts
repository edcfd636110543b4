import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
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
  if (shared !== undefined) return sharedFile(command, shared);
  const folder = makeOwnedFolder("command");
  const path = join(folder, "command");
  await writeFile(path, command, { mode: 0o600 });
  return { path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

/** Code inside may put links and folders there at any moment, so this makes one new file and follows no name. */
async function sharedFile(command: string, { outside, inside }: SharedFolder): Promise<CommandFile> {
  const name = `command-${randomUUID()}`;
  await writeFile(join(outside, name), command, { mode: 0o600, flag: "wx" });
  return { path: join(inside, name), [Symbol.asyncDispose]: () => rm(join(outside, name), { force: true }) };
}
