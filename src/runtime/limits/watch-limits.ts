import type { Kernel } from "../../kernel/kernel.ts";
import type { Settings } from "../../settings/settings.ts";
import { procFile } from "../../support/process/proc-files.ts";
import { sayCount } from "../../support/say-count.ts";
import { KernelProcesses } from "./kernel-processes.ts";

type Limits = Pick<Settings["python"], "memoryLimitMb" | "cpuSeconds" | "maxProcesses">;

const lookEveryMs = 200;
const mostMissedLooks = 10;
const noCopies: ReadonlySet<number> = new Set();

/**
 * Looks at a kernel's processes while it is busy, and ends the kernel when they use more than the settings allow. The system's own
 * limits count one process each; a cell that starts twenty would get twenty times as much. Sleeping copies for checkpoints do not
 * count: they have a limit of their own.
 */
export function watchLimits(kernel: Kernel, limits: Limits): void {
  const { pid } = kernel.info;
  const isLimited = limits.memoryLimitMb > 0 || limits.cpuSeconds > 0 || limits.maxProcesses > 0;
  if (!isLimited || pid === null || process.platform !== "linux") return;
  const processes = new KernelProcesses(pid);
  let cpuBefore = 0;
  let copies = noCopies;
  let missedLooks = 0;
  const timer = setInterval(() => {
    const known = kernel.checkpoints === undefined ? noCopies : kernel.checkpoints.pids();
    // A copy that is on its way would count as the cell's, but one that never comes must not switch the limits off.
    missedLooks = known === null ? missedLooks + 1 : 0;
    if (missedLooks > 0 && missedLooks < mostMissedLooks) return;
    copies = known ?? copies;
    const used = usageOf(processes.list(copies));
    // Counted from the beginning of the cell, or of what runs between cells.
    if (kernel.state === "idle") cpuBefore = used.cpuSeconds;
    const why = excess({ ...used, cpuSeconds: used.cpuSeconds - cpuBefore }, limits);
    if (why === null) return;
    clearInterval(timer);
    void kernel.close(why);
  }, lookEveryMs).unref();
  void kernel.exited.then(() => clearInterval(timer));
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
    memoryMb: each.reduce((sum, { memoryMb }) => sum + memoryMb, 0),
    cpuSeconds: each.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
    processes: each.filter(({ hasEnded }) => !hasEnded).length,
  };
}

/** Memory without the pages that processes share; CPU time with that of children that have ended. */
function ownUsage(pid: number): Pick<Usage, "memoryMb" | "cpuSeconds"> & { readonly hasEnded: boolean } {
  const [, resident = 0, shared = 0] = procFile(`/proc/${pid}/statm`).split(" ").map(Number);
  const stat = procFile(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return {
    memoryMb: Math.max(0, resident - shared) * pageMb,
    cpuSeconds: (ticks || 0) / ticksPerSecond,
    hasEnded: fields[0] === "Z", // not waited for yet, such as a copy
  };
}
