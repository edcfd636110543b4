import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readlinkSync } from "node:fs";
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
 * turn a folder into a link at any moment: the system's programs do not follow it, Node would. Never throws.
 */
export function removeHostileFolder(folder: string): void {
  const run = (name: string, ...args: string[]): void =>
    void spawnSync(systemProgram(name), [...args, "--", folder], { stdio: "ignore", env: systemEnvironment });
  run("rm", "-rf");
  if (!existsSync(folder)) return;
  run("chmod", "-R", "u+rwx");
  run("rm", "-rf");
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
