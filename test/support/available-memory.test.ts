import { describe, expect, test } from "vitest";
import { availableMemory } from "../../src/support/process/available-memory.ts";

/** A system with these files. */
function system(files: Readonly<Record<string, string>>): (path: string) => string | null {
  return (path) => files[path] ?? null;
}

const meminfo = "MemTotal:        1000 kB\nMemFree:          100 kB\nMemAvailable:     400 kB\n";
const machine = { "/proc/meminfo": meminfo };

describe("the share of memory that is available", () => {
  test("on this machine is between none and all, or unknown", () => {
    const share = availableMemory();
    if (process.platform === "linux") expect(share).toBeGreaterThan(0);
    expect(share ?? 1).toBeLessThanOrEqual(1);
  });

  test("of a machine is Linux's available memory, not its free memory", () => {
    expect(availableMemory(system(machine))).toBe(0.4);
  });

  test("is unknown where the system does not report it", () => {
    expect(availableMemory(system({}))).toBeNull();
    expect(availableMemory(system({ "/proc/meminfo": "MemTotal: 1000 kB\n" }))).toBeNull();
  });

  test.each([
    ["in its own folder", "/sys/fs/cgroup/user.slice"],
    ["in a container, at the top", "/sys/fs/cgroup"],
  ])("of a control group counts memory in use without caches, %s", (_where, folder) => {
    const files = {
      ...machine,
      "/proc/self/cgroup": "0::/user.slice\n",
      [`${folder}/memory.max`]: "1000\n",
      [`${folder}/memory.current`]: "950\n",
      [`${folder}/memory.stat`]: "anon 100\ninactive_file 150\n",
    };
    expect(availableMemory(system(files))).toBe(0.2);
  });

  test("of an older control group is read as well", () => {
    const files = {
      ...machine,
      "/proc/self/cgroup": "11:cpu,cpuacct:/x\n5:memory:/docker/abc\n",
      "/sys/fs/cgroup/memory/memory.limit_in_bytes": "1000\n",
      "/sys/fs/cgroup/memory/memory.usage_in_bytes": "990\n",
      "/sys/fs/cgroup/memory/memory.stat": "cache 5\ntotal_inactive_file 10\n",
    };
    expect(availableMemory(system(files))).toBe(0.02);
  });

  test("is the machine's where the group has no limit, or has more left", () => {
    const group = { ...machine, "/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.current": "1\n" };
    expect(availableMemory(system({ ...group, "/sys/fs/cgroup/memory.max": "max\n" }))).toBe(0.4);
    expect(availableMemory(system({ ...group, "/sys/fs/cgroup/memory.max": "1000\n" }))).toBe(0.4);
  });
});
