import type { ChildProcess } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { requireDescriptors } from "./descriptors.ts";

/** Signals a whole process group; false when there is none. */
export function signalGroup(leader: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-leader, signal);
    return true;
  } catch {
    return false;
  }
}

/** Sends SIGTERM to the group, then SIGKILL; settles when the leader has ended. */
export async function endGroup(leader: number, ended: Promise<unknown>, graceMs: number): Promise<void> {
  signalGroup(leader, "SIGTERM");
  const endedByItself = await endsWithin(ended, graceMs);
  if (endedByItself) return;
  signalGroup(leader, "SIGKILL");
  await ended;
}

/** Sends SIGTERM to a group, then SIGKILL; settles when no process is left, or all are killed. */
export async function endWholeGroup(leader: number, graceMs: number): Promise<void> {
  const until = performance.now() + graceMs;
  while (signalGroup(leader, "SIGTERM")) {
    if (performance.now() > until) break;
    await setTimeout(20);
  }
  signalGroup(leader, "SIGKILL");
}

/** Whether a promise settles within a time. */
export function endsWithin(ended: Promise<unknown>, milliseconds: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = globalThis.setTimeout(resolve, Math.max(0, milliseconds), false);
    ended.then(() => resolve(true), reject).finally(() => clearTimeout(timer));
  });
}

/**
 * A child that really runs; rejects with the system's error otherwise. Every program is started through this: Node
 * reports a failed start with an event, which ends the host if nobody listens, and a child that found no file
 * descriptors has no streams.
 */
export async function started<C extends ChildProcess>(start: () => C): Promise<C> {
  requireDescriptors();
  const child = start();
  const failed = new Promise<Error>((resolve) => child.on("error", resolve));
  if (child.pid === undefined) throw await failed;
  return child;
}
