import type { Kernel } from "../../kernel/kernel.ts";
import type { Settings } from "../../settings/settings.ts";
import { procFile } from "../../support/process/proc-files.ts";
import { sayCount } from "../../support/say-count.ts";
import { ControlGroup, type Walls } from "./control-group.ts";
import { KernelProcesses } from "./kernel-processes.ts";

type Limits = Pick<Settings["python"], "memoryLimitMb" | "cpuSeconds" | "maxProcesses">;

const lookEveryMs = 200;
const mostMissedLooks = 10;
const noCopies: ReadonlySet<number> = new Set();

interface Circumstances {
  /** Memory that checkpoints may hold besides the kernel, in megabytes; 0 without checkpoints. */
  readonly forCopiesMb: number;
}

/**
 * Looks at a kernel's processes while it is busy, and ends the kernel when they use more than the settings allow. The system's own
 * limits count one process each; a cell that starts twenty would get twenty times as much. Sleeping copies for checkpoints do not
 * count: they have a limit of their own. Where the system delegates control groups, one is around the kernel.
 * @returns a function that says whether a kernel that was killed had reached a limit: a sentence, or null
 */
export function watchLimits(kernel: Kernel, limits: Limits, { forCopiesMb }: Circumstances): () => string | null {
  const { pid } = kernel.info;
  const isLimited = limits.memoryLimitMb > 0 || limits.cpuSeconds > 0 || limits.maxProcesses > 0;
  if (!isLimited || pid === null || process.platform !== "linux") return () => null;
  const processes = new KernelProcesses(pid);
  // Kernels of other backends may outlive us, and the processes in a group do not.
  const isOurs = kernel.info.backend === "runner";
  const walls = wallsBehind(limits, forCopiesMb);
  const group = isOurs ? ControlGroup.around(pid, processes.list(noCopies), walls) : null;
  let cpuBefore = 0;
  let copies = noCopies;
  let missedLooks = 0;
  const timer = setInterval(() => {
    const known = kernel.checkpoints === undefined ? noCopies : kernel.checkpoints.pids();
    // A copy that is on its way would count as the cell's, but one that never comes must not switch the limits off.
    missedLooks = known === null ? missedLooks + 1 : 0;
    if (missedLooks > 0 && missedLooks < mostMissedLooks) return;
    copies = known ?? copies;
    group?.letGo(copies);
    const used = usageOf(processes.list(copies, group?.pids()));
    // Counted from the beginning of the cell, or of what runs between cells.
    if (kernel.state === "idle") cpuBefore = used.cpuSeconds;
    // Pages of copies stay in the group that they were made in.
    const memoryMb = group === null || copies.size > 0 ? used.memoryMb : Math.max(used.memoryMb, group.memoryMb);
    const why = excess({ ...used, memoryMb, cpuSeconds: used.cpuSeconds - cpuBefore }, limits);
    if (why === null) return;
    clearInterval(timer);
    void kernel.close(why);
  }, lookEveryMs).unref();
  void kernel.exited.then(() => {
    clearInterval(timer);
    group?.end(() => (kernel.checkpoints === undefined ? noCopies : kernel.checkpoints.pids()));
  });
  return () => (group?.wasEnded ? sayReached(limits) : null);
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

interface Usage {
  readonly memoryMb: number;
  readonly cpuSeconds: number;
  readonly processes: number;
}

/** One sentence that names the setting; null while everything is within its limits. */
function excess(used: Usage, { memoryLimitMb, cpuSeconds, maxProcesses }: Limits): string | null {
  if (memoryLimitMb > 0 && used.memoryMb > memoryLimitMb) {
    return `Python and its children used ${Math.ceil(used.memoryMb)} MB, and python.memoryLimitMb allows ${memoryLimitMb}, so Python was ended.`;
  }
  if (cpuSeconds > 0 && used.cpuSeconds > cpuSeconds) {
    return `The cell used more than ${sayCount(cpuSeconds, "second")} of CPU time, the limit of python.cpuSeconds, so Python was ended.`;
  }
  if (maxProcesses > 0 && used.processes > maxProcesses) {
    return `Python had ${used.processes} processes, and python.maxProcesses allows ${maxProcesses}, so Python was ended.`;
  }
  return null;
}

const ticksPerSecond = 100;
const pageMb = 4096 / 2 ** 20;

function usageOf(pids: ReadonlySet<number>): Usage {
  const each = [...pids].map(ownUsage);
  return {
    // Processes may share all of it, and it is there once.
    memoryMb:
      each.reduce((sum, { memoryMb }) => sum + memoryMb, 0) + Math.max(0, ...each.map(({ mappedMb }) => mappedMb)),
    cpuSeconds: each.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
    processes: each.filter(({ hasEnded }) => !hasEnded).length,
  };
}

interface OwnUsage extends Pick<Usage, "memoryMb" | "cpuSeconds"> {
  /** Memory for several processes: `mmap`, `memfd_create`, files of `/dev/shm` that are mapped. */
  readonly mappedMb: number;
  readonly hasEnded: boolean;
}

/** Memory without the pages that processes share; CPU time with that of children that have ended. */
function ownUsage(pid: number): OwnUsage {
  const [, resident = 0, shared = 0] = procFile(`/proc/${pid}/statm`).split(" ").map(Number);
  const stat = procFile(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return {
    memoryMb: Math.max(0, resident - shared) * pageMb,
    mappedMb: Number(/^RssShmem:\s*(\d+) kB$/m.exec(procFile(`/proc/${pid}/status`))?.[1] ?? 0) / 1024,
    cpuSeconds: (ticks || 0) / ticksPerSecond,
    hasEnded: fields[0] === "Z", // not waited for yet, such as a copy
  };
}
