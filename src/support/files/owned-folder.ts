import { spawnSync } from "node:child_process";
import { chmodSync, closeSync, constants, existsSync, mkdtempSync, openSync, readdirSync, readlinkSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemEnvironment, systemProgram } from "../process/system-program.ts";

/**
 * Makes a temporary folder that only the user can enter. Its name says which process owns it, so that a later process can remove
 * what a killed one left behind.
 */
export function makeOwnedFolder(kind: "zmq" | "large" | "command" | "bash" | "sandbox"): string {
  sweepOnce();
  return mkdtempSync(join(tmpdir(), `granary-${kind}-${processSpace()}-${process.pid}-`));
}

/** Process numbers mean something only in their own namespace: containers may share a temporary folder. */
function processSpace(): string {
  try {
    return /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? "0";
  } catch {
    return "0";
  }
}

let isSwept = false;

function sweepOnce(): void {
  if (isSwept) return;
  isSwept = true;
  void sweepFoldersOfDeadOwners().catch(() => undefined);
}

/** A folder whose owner's number belongs to another process by now stays until that has ended. */
export async function sweepFoldersOfDeadOwners(): Promise<void> {
  const space = processSpace();
  for (const name of await readdir(tmpdir())) {
    const [, kind, itsSpace, owner] = /^granary-(zmq|large|command|bash|sandbox)-(\d+)-(\d+)-[^-]+$/.exec(name) ?? [];
    if (owner === undefined || itsSpace !== space || isAlive(Number(owner))) continue;
    if (kind === "sandbox") removeHostileFolder(join(tmpdir(), name));
    else await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
  }
}

/**
 * Removes a folder in which code may have done anything, such as taking its owner's rights away. A process that is still running may
 * turn a folder into a link at any moment: the system's `rm` does not follow it, Node would. Never throws. On macOS, a folder without
 * its owner's rights stays.
 */
export function removeHostileFolder(folder: string): void {
  const remove = (): void =>
    void spawnSync(systemProgram("rm"), ["-rf", "--", folder], { stdio: "ignore", env: systemEnvironment });
  remove();
  if (process.platform !== "linux" || !existsSync(folder)) return;
  unlockFolders(folder);
  remove();
}

/**
 * Gives the owner's rights on a folder and on those in it back, and changes no file. `chmod -R` follows a link that appears between
 * its look and its change. Here each folder is opened by its name below the descriptor of the one above, and changed by its own.
 */
export function unlockFolders(path: string | Buffer, depth = 0): void {
  let place: number;
  try {
    place = openSync(path, folderItself);
  } catch {
    return; // gone, or a link by now
  }
  const folder = `/proc/self/fd/${place}`;
  try {
    chmodSync(folder, 0o700);
    if (depth === deepest) return;
    for (const entry of readdirSync(folder, { withFileTypes: true, encoding: "buffer" })) {
      if (entry.isDirectory()) unlockFolders(Buffer.concat([Buffer.from(`${folder}/`), entry.name]), depth + 1);
    }
  } catch {
    // Of another user, who removes it.
  } finally {
    closeSync(place);
  }
}

/** Linux's O_PATH needs no rights on the folder, and Node has no name for it. */
const folderItself = 0o10000000 | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** Each level holds a descriptor. */
const deepest = 256;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
