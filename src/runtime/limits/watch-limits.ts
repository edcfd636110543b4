import type { Kernel } from "../../kernel/kernel.ts";
import type { Settings } from "../../settings/settings.ts";
import { sayCount } from "../../support/say-count.ts";
import { ControlGroup, type Walls } from "./control-group.ts";
import { CpuTime } from "./cpu-time.ts";
import { KernelProcesses } from "./kernel-processes.ts";
import { SharedMemory } from "./shared-memory.ts";
import { type Usage, usageOf } from "./usage.ts";

type Limits = Pick<Settings["python"], "memoryLimitMb" | "cpuSeconds" | "maxProcesses">;

const lookEveryMs = 200;
const mostMissedLooks = 10;
const noCopies: ReadonlySet<number> = new Set();

/** Last words of Python and of libraries in C and C++. */
const withoutMemory = /\bMemoryError\b|std::bad_alloc|Cannot allocate memory/;

interface Circumstances {
  /** Memory that checkpoints may hold besides the kernel, in megabytes; 0 without checkpoints. */
  readonly forCopiesMb: number;
  /** Whether programs may be in front of Python that stay, such as those of bubblewrap: they are none of the code's. */
  readonly isBehindPrograms: boolean;
}

/** Whether a kernel that ended by itself, with these last words, had reached a limit: a sentence, or null. */
export type WhyFailed = (lastStderr: string) => string | null;

/**
 * Looks at a kernel's processes while it is busy, and ends the kernel when they use more than the settings allow. The system's own
 * limits count one process each; a cell that starts twenty would get twenty times as much. Sleeping copies for checkpoints do not
 * count: they have a limit of their own. Where the system delegates control groups, one is around the kernel.
 */
export function watchLimits(
  kernel: Kernel,
  limits: Limits,
  { forCopiesMb, isBehindPrograms }: Circumstances,
): WhyFailed {
  const { pid } = kernel.info;
  const isLimited = limits.memoryLimitMb > 0 || limits.cpuSeconds > 0 || limits.maxProcesses > 0;
  if (!isLimited || pid === null || process.platform !== "linux") return () => null;
  const processes = new KernelProcesses(pid);
  // Kernels of other backends may outlive us, and the processes in a group do not.
  const isOurs = kernel.info.backend === "runner";
  const walls = wallsBehind(limits, forCopiesMb);
  const atStart = processes.list(noCopies);
  const group = isOurs ? ControlGroup.around(pid, atStart, walls) : null;
  // No cell has begun yet: beside Python, there is only what is in front of it.
  const inFront = isBehindPrograms ? usageOf(atStart).processes - 1 : 0;
  const cpuTime = new CpuTime(pid);
  cpuTime.look(usageOf(atStart).each, null, true);
  let copies = noCopies;
  let missedLooks = 0;
  const sharedMemory = new SharedMemory(pid);
  // A cell may end before the next look, and would leave its processes to the one after it.
  if (limits.cpuSeconds > 0) {
    kernel.onCell(() => {
      const known = kernel.checkpoints === undefined ? noCopies : kernel.checkpoints.pids();
      if (known === null || kernel.cellsBegun === 0) return;
      try {
        cpuTime.look(usageOf(processes.list(known, group?.pids())).each, kernel.cellsBegun, true);
      } catch {
        // As below; the cell is worth more.
      }
    });
  }
  const look = async (): Promise<void> => {
    const known = kernel.checkpoints === undefined ? noCopies : kernel.checkpoints.pids();
    // A copy that is on its way would count as the cell's, but one that never comes must not switch the limits off.
    missedLooks = known === null ? missedLooks + 1 : 0;
    if (missedLooks > 0 && missedLooks < mostMissedLooks) return;
    copies = known ?? copies;
    group?.letGo(copies);
    const pids = processes.list(copies, group?.pids());
    const used = usageOf(pids);
    const cell = kernel.cellsBegun;
    const cpu = cpuTime.look(used.each, cell, kernel.state === "idle");
    // Pages of copies stay in the group that they were made in.
    const inGroup = group === null || copies.size > 0 ? 0 : group.memoryMb;
    const limitMb = limits.memoryLimitMb;
    const isDoubtful = limitMb > 0 && used.memoryMb > limitMb && used.leastMemoryMb <= limitMb;
    const memoryMb = isDoubtful ? await sharedMemory.megabytes(pids, used.memoryMb, limitMb) : used.leastMemoryMb;
    const isLater = cpu.cell !== cell || kernel.state === "idle";
    const ofCells = { cpuSeconds: cpu.seconds, isLater, processes: used.processes - inFront };
    const why = excess({ memoryMb: Math.max(memoryMb, inGroup), ...ofCells }, limits);
    if (why === null) return;
    clearInterval(timer);
    void kernel.close(why);
  };
  let isLooking = false;
  const timer = setInterval(async () => {
    if (isLooking) return;
    isLooking = true;
    try {
      await look();
    } catch {
      // The next look comes in a moment. An unhandled rejection would end the host, and with it every kernel.
    } finally {
      isLooking = false;
    }
  }, lookEveryMs).unref();
  void kernel.exited.then(() => {
    clearInterval(timer);
    group?.end(() => (kernel.checkpoints === undefined ? noCopies : kernel.checkpoints.pids()));
  });
  return (lastStderr) => {
    if (group?.wasEnded) return sayReached(limits);
    return limits.memoryLimitMb > 0 && withoutMemory.test(lastStderr) ? sayRanOut(limits) : null;
  };
}

/** Threads count in a group, and libraries start many. */
function wallsBehind({ memoryLimitMb, maxProcesses }: Limits, forCopiesMb: number): Walls {
  return {
    memoryMb: memoryLimitMb === 0 ? 0 : memoryLimitMb + forCopiesMb,
    tasks: maxProcesses === 0 ? 0 : 4 * maxProcesses + 1000,
  };
}

function sayReached({ memoryLimitMb }: Limits): string {
  return `Python and its children reached the ${memoryLimitMb} MB that python.memoryLimitMb allows, so the system ended Python.`;
}

function sayRanOut({ memoryLimitMb }: Limits): string {
  return `Python ended itself for lack of memory: python.memoryLimitMb allows ${memoryLimitMb} MB.`;
}

/** One sentence that names the setting; null while everything is within its limits. */
function excess(
  used: Pick<Usage, "memoryMb" | "processes"> & { readonly cpuSeconds: number; readonly isLater: boolean },
  { memoryLimitMb, cpuSeconds, maxProcesses }: Limits,
): string | null {
  if (memoryLimitMb > 0 && used.memoryMb > memoryLimitMb) {
    return `Python and its children used ${Math.ceil(used.memoryMb)} MB, and python.memoryLimitMb allows ${memoryLimitMb}, so Python was ended.`;
  }
  if (cpuSeconds > 0 && used.cpuSeconds > cpuSeconds) {
    const who = used.isLater ? "An earlier cell, with the processes that it left running," : "The cell";
    return `${who} used more than ${sayCount(cpuSeconds, "second")} of CPU time, the limit of python.cpuSeconds, so Python was ended.`;
  }
  if (maxProcesses > 0 && used.processes > maxProcesses) {
    return `Python had ${used.processes} processes, and python.maxProcesses allows ${maxProcesses}, so Python was ended.`;
  }
  return null;
}
