import { readdir, readFile } from "node:fs/promises";

/**
 * Kills every process that has a variable with this value in its environment, wherever it went: an rc file may start
 * agents and daemons that left the shell's process group. Linux only, elsewhere environments cannot be read.
 */
export async function endStrayProcesses(name: string, value: string): Promise<void> {
  const mark = Buffer.from(`${name}=${value}\0`);
  // One that forks while it is looked for is found in the next round.
  for (let round = 0; round < 5; round++) {
    const killed = await Promise.all((await processIds()).map((pid) => endIfMarked(pid, mark)));
    if (!killed.includes(true)) return;
  }
}

async function processIds(): Promise<number[]> {
  const names = await readdir("/proc").catch(() => []);
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

async function endIfMarked(pid: number, mark: Buffer): Promise<boolean> {
  // Empty for what has ended and not been waited for; unreadable for other people's processes.
  const environment = await readFile(`/proc/${pid}/environ`).catch(() => null);
  if (environment === null || !environment.includes(mark)) return false;
  try {
    process.kill(pid, "SIGKILL");
    return true;
  } catch {
    return false;
  }
}
