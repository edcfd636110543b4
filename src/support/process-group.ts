import { pause } from "./pause.ts";

/** Signals a whole process group; false when there is none (any more). */
export function signalGroup(leader: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-leader, signal);
    return true;
  } catch {
    return false;
  }
}

/** Asks the group to end, then insists; settles when the leader has ended. */
export async function endGroup(leader: number, ended: Promise<unknown>, graceMs: number): Promise<void> {
  signalGroup(leader, "SIGTERM");
  const endedByItself = await endsWithin(ended, graceMs);
  if (endedByItself) return;
  signalGroup(leader, "SIGKILL");
  await ended;
}

/** Whether a promise settles within a time. */
export async function endsWithin(ended: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const stop = new AbortController();
  const first = await Promise.race([ended.then(() => true), pause(milliseconds, stop.signal).then(() => false)]);
  stop.abort("settled");
  return first;
}
