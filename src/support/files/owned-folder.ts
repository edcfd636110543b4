import { chmodSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

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
    const [, itsSpace, owner] = /^granary-(?:zmq|large|command|bash|sandbox)-(\d+)-(\d+)-[^-]+$/.exec(name) ?? [];
    if (owner === undefined || itsSpace !== space || isAlive(Number(owner))) continue;
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Removes a folder in which code may have done anything, such as taking its owner's rights away. Never throws. */
export function removeHostileFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    try {
      openFolders(folder);
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // A later process tries again.
    }
  }
}

function openFolders(folder: string): void {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) openFolders(join(folder, entry.name));
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
