import { readFileSync } from "node:fs";

/** The text of a system file; null where there is none. */
type ReadText = (path: string) => string | null;

/**
 * The share of memory still available to programs, from 0 to 1: of the machine, or of this process's control group if that
 * has less left, as in a container. Caches that the system would drop count as available. Null where the system
 * does not report it, which is everywhere except on Linux.
 */
export function availableMemory(read: ReadText = readText): number | null {
  const machine = machineShare(read("/proc/meminfo") ?? "");
  return machine === null ? null : Math.min(machine, groupShare(read) ?? 1);
}

/** Whether less than so many percent are available; never where that is 0 or unknown. */
export function isMemoryShort(lowPercent: number): boolean {
  const available = lowPercent === 0 ? null : availableMemory();
  return available !== null && available * 100 < lowPercent;
}

function machineShare(meminfo: string): number | null {
  const total = fieldOf(meminfo, "MemTotal:");
  const available = fieldOf(meminfo, "MemAvailable:");
  return total === null || available === null || total === 0 ? null : available / total;
}

/** Null when the group has no limit. */
function groupShare(read: ReadText): number | null {
  const groups = read("/proc/self/cgroup") ?? "";
  const second = /^0::(.*)$/m.exec(groups)?.[1];
  const first = /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(.*)$/m.exec(groups)?.[1];
  const inSecond = (folder: string) =>
    share(read, folder, { limit: "memory.max", used: "memory.current", cache: "inactive_file" });
  const inFirst = (folder: string) =>
    share(read, folder, {
      limit: "memory.limit_in_bytes",
      used: "memory.usage_in_bytes",
      cache: "total_inactive_file",
    });
  // In a container the group's path is the one outside, and its files are at the top.
  return (
    (first === undefined ? null : (inFirst(`/sys/fs/cgroup/memory${first}`) ?? inFirst("/sys/fs/cgroup/memory"))) ??
    (second === undefined ? null : (inSecond(`/sys/fs/cgroup${second}`) ?? inSecond("/sys/fs/cgroup")))
  );
}

function share(
  read: ReadText,
  folder: string,
  names: { readonly limit: string; readonly used: string; readonly cache: string },
): number | null {
  const limit = wholeNumber(read(`${folder}/${names.limit}`));
  const used = wholeNumber(read(`${folder}/${names.used}`));
  if (limit === null || used === null || limit === 0) return null;
  const cache = fieldOf(read(`${folder}/memory.stat`) ?? "", names.cache) ?? 0;
  return Math.max(0, limit - Math.max(0, used - cache)) / limit;
}

/** The number after a name at the beginning of a line. */
function fieldOf(text: string, name: string): number | null {
  const line = text.split("\n").find((line) => line.startsWith(`${name} `));
  return line === undefined ? null : wholeNumber(line.slice(name.length).trim().split(" ")[0] ?? null);
}

/** Null for `max`, which is no limit. */
function wholeNumber(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text.trim()) ? Number(text) : null;
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
