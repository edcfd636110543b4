import { procFile } from "../../support/process/proc-files.ts";

/** The use of a kernel's processes together. */
export interface Usage {
  /** Children that were forked share pages, which count for each of them: see `SharedMemory`. */
  readonly memoryMb: number;
  /** A lower bound: the process with most, and memory that is mapped for several. */
  readonly leastMemoryMb: number;
  readonly processes: number;
  readonly each: readonly OwnUsage[];
}

export function usageOf(pids: ReadonlySet<number>): Usage {
  const each = [...pids].map(ownUsage).filter(({ isThere }) => isThere);
  // Processes may share all of it, and it is there once.
  const mappedMb = Math.max(0, ...each.map((own) => own.mappedMb));
  return {
    memoryMb: mappedMb + each.reduce((sum, { memoryMb }) => sum + memoryMb, 0),
    leastMemoryMb: mappedMb + Math.max(0, ...each.map(({ memoryMb }) => memoryMb)),
    processes: each.filter(({ hasEnded }) => !hasEnded).length,
    each,
  };
}

export interface OwnUsage extends Pick<Usage, "memoryMb"> {
  readonly pid: number;
  readonly parent: number;
  /** In ticks since the start of the system. */
  readonly startedAt: number;
  readonly cpuSeconds: number;
  /** CPU time of children that have ended, and that it waited for. */
  readonly childrenSeconds: number;
  readonly isThere: boolean;
  /** Memory for several processes: `mmap`, `memfd_create`, files of `/dev/shm` that are mapped. */
  readonly mappedMb: number;
  readonly hasEnded: boolean;
}

const ticksPerSecond = 100;
const pageMb = 4096 / 2 ** 20;

/** Memory without what is mapped for several processes. Zeros for a process that is gone. */
export function ownUsage(pid: number): OwnUsage {
  const [, resident = 0, shared = 0] = procFile(`/proc/${pid}/statm`).split(" ").map(Number);
  const stat = procFile(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [user = 0, system = 0, childrensUser = 0, childrensSystem = 0] = fields.slice(11, 15).map(Number);
  return {
    memoryMb: Math.max(0, resident - shared) * pageMb,
    mappedMb: Number(/^RssShmem:\s*(\d+) kB$/m.exec(procFile(`/proc/${pid}/status`))?.[1] ?? 0) / 1024,
    pid,
    parent: Number(fields[1] ?? 0),
    startedAt: Number(fields[19] ?? 0),
    cpuSeconds: (user + system) / ticksPerSecond,
    childrenSeconds: (childrensUser + childrensSystem) / ticksPerSecond,
    isThere: stat !== "",
    hasEnded: fields[0] === "Z", // not waited for yet, such as a copy
  };
}
