import { execFileSync } from "node:child_process";

/**
 * Keeps this process, and processes that `work` starts, on one core. Processes that talk across cores also wait for the other
 * core to wake up, and on many machines that takes longer than a trivial cell.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T | undefined>} undefined if the system does not support this
 */
export async function onOneCore(work) {
  const everyThread = "--all-tasks";
  const me = String(process.pid);
  /** @param {string[]} args */
  const taskset = (...args) => execFileSync("taskset", ["--pid", "--cpu-list", ...args], { encoding: "utf8" });
  let cores;
  try {
    cores = /list: (\S+)/.exec(taskset(me))?.[1];
  } catch {
    return undefined;
  }
  if (cores === undefined) return undefined;
  taskset(everyThread, cores.split(/[,-]/)[0] ?? "0", me);
  try {
    return await work();
  } finally {
    taskset(everyThread, cores, me);
  }
}
