import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { expect } from "vitest";
import type { Kernel } from "../../src/kernel/kernel.ts";
import { printed } from "./collect.ts";
import { isRunning } from "./processes.ts";
import { py } from "./py.ts";

/** Processes that left the kernel's group: in another group, in another session, and without a parent. Prints their numbers. */
export const leavers = py`
  import os, subprocess, time
  group = subprocess.Popen(["sleep", "611"], preexec_fn=os.setpgrp)
  session = subprocess.Popen(["sleep", "612"], start_new_session=True)
  read, write = os.pipe()
  if os.fork() == 0:
      os.setsid()
      if os.fork() == 0:
          os.write(write, b"%d" % os.getpid())
          time.sleep(613)
      os._exit(0)
  print(group.pid, session.pid, int(os.read(read, 20)), flush=True)
`;

export const numbersIn = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number);

export async function expectNothingLeft(kernel: Kernel): Promise<void> {
  const pids = numbersIn(await printed(kernel, leavers));
  expect(pids).toHaveLength(3);
  expect(pids.every(isRunning)).toBe(true);
  await kernel.close();
  expect(pids.filter(isRunning)).toEqual([]);
}

/** The shells that wait for the end of a host. */
export function watchersOf({ pid }: Pick<ChildProcess, "pid">): number {
  return readdirSync("/proc").filter((name) => {
    try {
      const parent = readFileSync(`/proc/${name}/stat`, "latin1").split(") ")[1]?.split(" ")[1];
      return Number(parent) === pid && readFileSync(`/proc/${name}/cmdline`, "latin1").includes("GRANARY_KERNEL");
    } catch {
      return false;
    }
  }).length;
}
