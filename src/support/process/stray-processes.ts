import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Kills every process that has a variable with this value in its environment, in any process group: an rc file may start
 * agents and daemons that left the shell's process group. Linux only; other systems do not show environments.
 */
export async function endStrayProcesses(name: string, value: string): Promise<void> {
  const mark = Buffer.from(`${name}=${value}\0`);
  // A process that forks during the search is found in the next round, and so is one that has not ended yet on a busy machine.
  for (let round = 0; round < rounds; round++) {
    if (round > 0) await sleep(pauseMs);
    let hasFound = false;
    const pids = await processIds();
    // A few at once: there may be more processes than descriptors.
    for (let from = 0; from < pids.length; from += atOnce) {
      const killed = await Promise.all(pids.slice(from, from + atOnce).map((pid) => endIfMarked(pid, mark)));
      hasFound ||= killed.includes(true);
    }
    if (!hasFound) return;
  }
}

const rounds = 100;
const pauseMs = 5;
const atOnce = 8;

async function processIds(): Promise<number[]> {
  const names = await readdir("/proc").catch(() => []);
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

async function endIfMarked(pid: number, mark: Buffer): Promise<boolean> {
  // Empty for a zombie; unreadable for other users' processes.
  const environment = await readFile(`/proc/${pid}/environ`).catch(() => null);
  if (environment === null || !environment.includes(mark)) return false;
  try {
    process.kill(pid, "SIGKILL");
    return true;
  } catch {
    return false;
  }
}
