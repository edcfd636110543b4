import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { makeFolder } from "../../support/files/make-folder.ts";
import { GranaryError } from "../../support/granary-error.ts";

/** macOS allows 104 bytes for the path of a socket, Linux 108, both with a zero byte at the end. */
const longestSocketPath = 103;

/**
 * The hub's socket: in its folder, or in an owner-only temporary folder where that path would be too long. The folder's
 * permissions keep other users out, because Node cannot ask the system for the user on the other side of a socket.
 */
export async function prepareSocketPath(folder: string): Promise<string> {
  await makeOwnFolder(folder);
  const usual = join(folder, "hub.sock");
  if (Buffer.byteLength(usual) <= longestSocketPath) return usual;
  const name = createHash("sha256").update(folder).digest("hex").slice(0, 16);
  for (const temporary of [tmpdir(), "/tmp"]) {
    const short = join(temporary, `granary-hub-${userInfo().uid}`);
    const path = join(short, `${name}.sock`);
    if (Buffer.byteLength(path) > longestSocketPath) continue;
    await makeOwnFolder(short);
    return path;
  }
  throw new GranaryError("hub-start", `The path ${usual} is too long for a socket. Set GRANARY_HOME to a shorter one.`);
}

/** Only the owner may enter it: the socket allows running any code. */
async function makeOwnFolder(folder: string): Promise<void> {
  await makeFolder(folder, 0o700);
  const found = lstatSync(folder);
  const isOurs = found.isDirectory() && (process.getuid === undefined || found.uid === process.getuid());
  if (!isOurs) {
    throw new GranaryError("hub-start", `${folder} belongs to another user, so the hub cannot use it. Delete it.`);
  }
  await chmod(folder, 0o700);
}
